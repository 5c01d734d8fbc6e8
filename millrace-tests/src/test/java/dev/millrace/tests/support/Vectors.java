package dev.millrace.tests.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The recorded facts, in the folder {@code shared} beside the project's root. */
public final class Vectors {
  private Vectors() {}

  /** The file {@code name}; a missing one fails the test, because nothing would be compared. */
  public static JsonNode read(String name) {
    Path start = Path.of("").toAbsolutePath();
    for (@Nullable Path folder = start; folder != null; folder = folder.getParent()) {
      Path file = folder.resolve("shared").resolve("vectors").resolve(name);
      if (Files.isRegularFile(file)) {
        try {
          return new ObjectMapper().readTree(file.toFile());
        } catch (IOException e) {
          throw new UncheckedIOException("cannot read " + file, e);
        }
      }
    }
    throw new AssertionError("no shared/vectors/" + name + " beside any folder above " + start);
  }
}
