package dev.millrace.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.tests.docs.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A text among the resources of the tests, which {@code -Drecorded.write} writes again. */
final class RecordedText {
  private static final Path RECORDED =
      Repository.root()
          .resolve("verification/tests/src/test/resources/dev/millrace/tests/recorded");

  private RecordedText() {}

  /** Compares, character by character. */
  static void assertAsRecorded(String name, String text) throws IOException {
    Path file = RECORDED.resolve(name + ".txt");
    if (System.getProperty("recorded.write") != null) {
      Files.createDirectories(RECORDED);
      Files.writeString(file, text);
    }
    assertThat(text)
        .as("%s; -Drecorded.write records it again, if the change is meant", file.getFileName())
        .isEqualTo(Files.readString(file));
  }
}
