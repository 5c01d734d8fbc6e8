package dev.millrace.worker.regions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.regions.sync.CycleReport;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the commands print for machines. */
final class RegionsJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RegionsJson() {}

  static String of(Map<String, @Nullable Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("fields that are no JSON: " + fields, e);
    }
  }

  /** A window, and what was refused since the start. */
  static String of(CycleReport report, Map<String, Long> refusals) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("event", "window");
    fields.putAll(report.fields());
    fields.put("refused", refusals);
    return of(fields);
  }
}
