package dev.millrace.aggregator.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

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

  /** An image as the stream writes it. */
  static Map<String, AttributeValue> image(JsonNode json) {
    Map<String, AttributeValue> image = new HashMap<>();
    json.properties().forEach(field -> image.put(field.getKey(), value(field.getValue())));
    return image;
  }

  private static AttributeValue value(JsonNode json) {
    if (json.has("S")) {
      return AttributeValue.fromS(json.get("S").asText());
    }
    if (json.has("N")) {
      return AttributeValue.fromN(json.get("N").asText());
    }
    if (json.has("BOOL")) {
      return AttributeValue.fromBool(json.get("BOOL").asBoolean());
    }
    throw new AssertionError("a value of another type: " + json);
  }
}
