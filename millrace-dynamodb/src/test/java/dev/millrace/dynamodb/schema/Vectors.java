package dev.millrace.dynamodb.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The recorded facts, in the folder {@code shared} beside the project's root. */
final class Vectors {
  private Vectors() {}

  /** The file {@code name}; a missing one fails the test, because nothing would be compared. */
  static JsonNode read(String name) throws IOException {
    Path start = Path.of("").toAbsolutePath();
    for (@Nullable Path folder = start; folder != null; folder = folder.getParent()) {
      Path file = folder.resolve("shared").resolve("vectors").resolve(name);
      if (Files.isRegularFile(file)) {
        return new ObjectMapper().readTree(file.toFile());
      }
    }
    throw new AssertionError("no shared/vectors/" + name + " beside any folder above " + start);
  }
}
