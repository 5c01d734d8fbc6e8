package dev.millrace.cli.services.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.Millrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The command in a process of its own: what counts is how it ends. */
class ServeCommandTest {
  private static final long MOST_SECONDS = 60;

  @Test
  void serve_withoutKeys_endsWithWrongUsageAndSaysWhatToDo() throws Exception {
    Run run = run("serve", "--host", "0.0.0.0", "--port", "0", "--endpoint", "http://127.0.0.1:1");
    assertThat(run.exitCode()).as(run.output()).isEqualTo(2);
    assertThat(run.output()).contains("keys is not set", "millrace key new");
  }

  @Test
  void serve_printConfig_showsValuesWithTheirOriginsAndHidesSecrets() throws Exception {
    Run run =
        run("serve", "--print-config", "--port", "81", "--lease-secret", "0123456789abcdefgh");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("port: 81  # flag --port", "lease-secret: (hidden)", "host: 127.0.0.1  # default")
        .contains("table: of-the-environment  # environment MILLRACE_TABLE")
        .doesNotContain("0123456789abcdefgh");
  }

  private record Run(int exitCode, String output) {}

  private static Run run(String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", Millrace.class.getName()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path", ""));
    builder.environment().put("MILLRACE_TABLE", "of-the-environment");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), output);
  }
}
