package dev.millrace.site;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that a process runs in. */
public final class Checkout {
  private Checkout() {}

  /** Its first directory, also when the process was started in a module. */
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
}
