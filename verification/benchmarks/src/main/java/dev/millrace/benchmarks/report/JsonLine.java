package dev.millrace.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** Figures as one JSON object on one line. */
public final class JsonLine {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonLine() {}

  /** The line, without its end. */
  public static String of(Map<String, ?> figures) {
    try {
      return MAPPER.writeValueAsString(figures);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON for " + figures, e);
    }
  }
}
