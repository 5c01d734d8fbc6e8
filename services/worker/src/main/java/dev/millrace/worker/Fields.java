package dev.millrace.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fields by name, as one line of JSON. */
public final class Fields {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Fields() {}

  /** The JSON of {@code fields}: texts, numbers, booleans, lists and maps of them. */
  public static String json(Map<String, ? extends @Nullable Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Numbers and texts can be written", e);
    }
  }
}
