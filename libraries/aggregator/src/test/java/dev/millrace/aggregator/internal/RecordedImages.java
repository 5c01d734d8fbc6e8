package dev.millrace.aggregator.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items of recorded vectors, as a stream has them. */
final class RecordedImages {
  private RecordedImages() {}

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
