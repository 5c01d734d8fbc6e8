package dev.millrace.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser; {@code src/test/browser/walk.mjs} says what is walked through. */
class PageIT {
  private static final String DO = "do: ";

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // the first run may install the browser
  void page_walkedThrough_isAsItShouldBe(@TempDir Path temporary) throws Exception {
    File errors = temporary.resolve("errors").toFile();
    StringBuilder said = new StringBuilder();
    try (PageServer server = new PageServer()) {
      int port = server.port();
      Process walk =
          new ProcessBuilder(
                  Path.of("src/test/browser/run").toAbsolutePath().toString(),
                  Path.of("target/browser").toAbsolutePath().toString(),
                  Path.of("src/test/browser/walk.mjs").toAbsolutePath().toString(),
                  server.url(),
                  Path.of("target/screenshots").toAbsolutePath().toString())
              .redirectError(errors)
              .start();
      try (BufferedReader lines = walk.inputReader(StandardCharsets.UTF_8);
          Writer answers = walk.outputWriter(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          said.append(line).append('\n');
          if (line.startsWith(DO)) {
            serve(server, line.substring(DO.length()), port);
            answers.write("done\n");
            answers.flush();
          }
        }
        assertThat(walk.waitFor()).as(said + Files.readString(errors.toPath())).isZero();
      } finally {
        walk.destroyForcibly();
      }
    }
    assertThat(said).contains("do: stop", "do: start", "step: all");
  }

  private static void serve(PageServer server, String what, int port) throws IOException {
    switch (what) {
      case "stop" -> server.stop();
      case "start" -> server.startAgain(port);
      default -> throw new IOException("the walk wants something unknown: " + what);
    }
  }
}
