package dev.millrace.tests.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

  /** The Markdown files at the root and everything below {@code docs}. */
  static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> atRoot = Files.list(root());
        Stream<Path> below = Files.walk(root().resolve("docs"))) {
      Stream.concat(atRoot, below)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .forEach(documents::add);
    }
    return documents;
  }
}
