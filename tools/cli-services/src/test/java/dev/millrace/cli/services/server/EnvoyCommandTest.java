package dev.millrace.cli.services.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command that checks mapping files. */
class EnvoyCommandTest {
  private static final Path MAPPING =
      Path.of("../../services/server/src/test/resources/dev/millrace/server/envoy/mapping.yaml");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void check_goodFile_countsWhatIsInIt() {
    assertThat(run("check", MAPPING.toString())).isZero();
    assertThat(out.toString()).contains("mapping.yaml: 2 domains, 8 rules");
  }

  @Test
  void check_badFile_saysWhatIsWrong() {
    assertThat(run("check", MAPPING.resolveSibling("bad/empty.yaml").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("empty.yaml: line ").contains("is empty");
  }

  @Test
  void check_noSuchFile_saysSo() {
    assertThat(run("check", "nowhere.yaml")).isEqualTo(1);
    assertThat(err.toString()).contains("nowhere.yaml").contains("cannot be read");
  }

  private int run(String... args) {
    return new CommandLine(new EnvoyCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }
}
