package dev.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.site.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The site in a real browser; {@code src/test/browser/site.mjs} says what is walked through. */
class SiteWalkIT {
  private static final String RUN = "services/server/src/test/browser/run";

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES) // the first run may install the browser
  void site_walkedThrough_isAsItShouldBe(@TempDir Path temporary) throws Exception {
    Path site = temporary.resolve("site");
    Site.build(Repository.root(), site);
    Path said = temporary.resolve("said");
    Process walk =
        new ProcessBuilder(
                Repository.root().resolve(RUN).toString(),
                Path.of("target/browser").toAbsolutePath().toString(),
                Path.of("src/test/browser/site.mjs").toAbsolutePath().toString(),
                "file://" + site.toAbsolutePath() + "/",
                Path.of("target/screenshots").toAbsolutePath().toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(walk.waitFor()).as(() -> read(said)).isZero();
    } finally {
      walk.destroyForcibly();
    }
    assertThat(Files.readString(said)).contains("step: all, with");
  }

  private static String read(Path file) {
    return ApiText.kept(file);
  }
}
