package dev.millrace.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Fields by name, as one line of JSON. */
final class Fields {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Fields() {}

  static String json(Map<String, Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Numbers and texts can be written", e);
    }
  }
}
