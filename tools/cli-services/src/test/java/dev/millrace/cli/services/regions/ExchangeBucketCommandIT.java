package dev.millrace.cli.services.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.embedded.EmbeddedS3;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ExchangeBucketCommandIT {
  private final StringWriter out = new StringWriter();

  private int run(String... args) {
    return new CommandLine(new SharedRegionsCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(args);
  }

  @Test
  void bucket_missingThenThere_saysWhatItDid() {
    try (EmbeddedS3 s3 = EmbeddedS3.start()) {
      String endpoint = "--s3-endpoint=" + s3.endpoint();
      assertThat(run("bucket", "--exchange=s3://sync/prod", endpoint)).as("%s", out).isZero();
      assertThat(out.toString())
          .containsPattern("bucket +changed")
          .containsPattern("lifecycle +unknown to server");
      out.getBuffer().setLength(0);
      assertThat(run("bucket", "--exchange=s3://sync/prod", endpoint)).isZero();
      assertThat(out.toString()).containsPattern("bucket +was so");
    }
  }

  @Test
  void bucket_policy_printsIt() {
    assertThat(run("bucket", "--exchange=s3://sync/prod", "--policy=eu")).isZero();
    assertThat(out.toString()).contains("arn:aws:s3:::sync/prod/eu/snapshot.json");
    assertThat(run("bucket", "--exchange=s3://sync/prod", "--policy=EU")).isEqualTo(2);
    assertThat(run("bucket", "--exchange=sync", "--policy=eu")).isEqualTo(2);
  }
}
