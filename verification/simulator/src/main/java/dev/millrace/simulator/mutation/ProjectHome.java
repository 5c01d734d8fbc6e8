package dev.millrace.simulator.mutation;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The root directory of the project's sources. */
final class ProjectHome {
  /** Says where, when it is not a directory above the current one. */
  static final String PROPERTY = "millrace.home";

  private static final String SIGN = "libraries/core/src/main/java";

  private ProjectHome() {}

  /** The root of the project. */
  static Path find() {
    return find(System.getProperty(PROPERTY), Path.of("").toAbsolutePath());
  }

  static Path find(@Nullable String told, Path current) {
    if (told != null) {
      Path home = Path.of(told);
      if (!isHome(home)) {
        throw new IllegalStateException(
            "no sources of the project in " + home + ", which the property " + PROPERTY + " names");
      }
      return home;
    }
    for (Path at = current; at != null; at = at.getParent()) {
      if (isHome(at)) {
        return at;
      }
    }
    throw new IllegalStateException(
        "no sources of the project in or above "
            + current
            + ": start there, or name their directory with the property "
            + PROPERTY);
  }

  private static boolean isHome(Path directory) {
    return Files.isDirectory(directory.resolve(SIGN));
  }
}
