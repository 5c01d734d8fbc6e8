package dev.millrace.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts by name, as JSON and as Prometheus reads them. */
final class Fields {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PREFIX = "millrace_aggregator_";

  private Fields() {}

  static Map<String, Object> of(WorkerMetrics.Snapshot counts) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shards", counts.shards());
    fields.put("lagMs", counts.lagMs());
    fields.put("lastBatch", counts.lastBatch());
    fields.put("batches", counts.batches());
    fields.put("records", counts.records());
    fields.put("applied", counts.applied());
    fields.put("duplicates", counts.duplicates());
    fields.put("ignored", counts.ignored());
    fields.put("poison", counts.poison());
    fields.put("archived", counts.archived());
    fields.put("resized", counts.resized());
    fields.put("resizeFailures", counts.resizeFailures());
    fields.put("usageWrites", counts.usageWrites());
    fields.put("usageRefused", counts.usageRefused());
    fields.put("writeFailures", counts.writeFailures());
    fields.put("retries", counts.retries());
    return fields;
  }

  static String json(Map<String, Object> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Numbers and texts can be written", e);
    }
  }

  /** The first three go up and down; the others only grow. */
  static String prometheus(WorkerMetrics.Snapshot counts) {
    StringBuilder text = new StringBuilder();
    int index = 0;
    for (Map.Entry<String, Object> field : of(counts).entrySet()) {
      boolean gauge = index++ < 3;
      String name = PREFIX + snake(field.getKey()) + (gauge ? "" : "_total");
      text.append("# TYPE ").append(name).append(gauge ? " gauge\n" : " counter\n");
      text.append(name).append(' ').append(field.getValue()).append('\n');
    }
    return text.toString();
  }

  private static String snake(String camel) {
    StringBuilder snake = new StringBuilder();
    for (int i = 0; i < camel.length(); i++) {
      char c = camel.charAt(i);
      snake.append(Character.isUpperCase(c) ? "_" + Character.toLowerCase(c) : String.valueOf(c));
    }
    return snake.toString();
  }
}
