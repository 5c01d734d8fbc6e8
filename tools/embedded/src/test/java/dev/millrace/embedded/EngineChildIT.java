package dev.millrace.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

final class EngineChildIT {

  private static final int END_TIMEOUT_SECONDS = 20;

  /** With two engines, since the second child must not keep the first one's pipe open. */
  @Test
  void child_parentKilled_ends()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Process parent = startParent();
    try (BufferedReader pids = parent.inputReader()) {
      ProcessHandle first = handleOf(pids.readLine());
      ProcessHandle second = handleOf(pids.readLine());
      assertThat(first.isAlive()).isTrue();
      assertThat(second.isAlive()).isTrue();

      parent.destroyForcibly();

      first.onExit().get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
      second.onExit().get(END_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } finally {
      parent.destroyForcibly();
    }
  }

  private static Process startParent() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                DoomedParent.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder.start();
  }

  private static ProcessHandle handleOf(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }
}
