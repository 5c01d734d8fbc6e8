package dev.millrace.proving.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.simulator.mutation.MutantVerdict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which deliberate faults were caught, for machines. */
final class MutantReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  private MutantReport() {}

  static String json(List<MutantVerdict> verdicts) {
    List<Map<String, Object>> rows = verdicts.stream().map(MutantReport::row).toList();
    try {
      return JSON.writeValueAsString(Map.of("mutants", rows));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("strings and numbers are always JSON", e);
    }
  }

  private static Map<String, Object> row(MutantVerdict verdict) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("mutant", verdict.mutant().name());
    row.put("caught", verdict.isCaught());
    row.put("seeds", verdict.seeds());
    row.put("promise", String.valueOf(verdict.promise()));
    row.put("test", String.valueOf(verdict.failedTest()));
    row.put("message", verdict.message());
    return row;
  }
}
