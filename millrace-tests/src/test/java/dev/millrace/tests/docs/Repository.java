package dev.millrace.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that the tests run in. */
public final class Repository {
  private Repository() {}

  /** Its first directory. */
  public static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(".mvn"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException(
            "not run within a checkout: " + Path.of("").toAbsolutePath());
      }
    }
    return directory;
  }

  static String read(String path) throws IOException {
    return Files.readString(root().resolve(path));
  }
}
