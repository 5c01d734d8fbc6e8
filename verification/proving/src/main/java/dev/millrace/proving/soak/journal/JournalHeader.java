package dev.millrace.proving.soak.journal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of the process that keeps a journal, as far as they decide the cost of its death.
 *
 * @param name which process
 * @param deferred whether settlements are written some time after they were asked for
 * @param settleWithinMs longest time from asking for a settlement to its being written, or its
 *     failure being told
 * @param grainMs the refill grain
 * @param transactional whether several buckets are charged in one transaction
 * @param aheadMs how long ahead of their use tokens are charged, 0 for not at all
 */
public record JournalHeader(
    String name,
    boolean deferred,
    long settleWithinMs,
    long grainMs,
    boolean transactional,
    long aheadMs) {
  /** Reads what {@link #toString} writes. */
  static JournalHeader parse(List<String> words) {
    Map<String, String> fields = new HashMap<>();
    for (String word : words) {
      String[] field = word.split("=", 2);
      fields.put(field[0], field.length == 2 ? field[1] : "");
    }
    return new JournalHeader(
        field(fields, "name"),
        Boolean.parseBoolean(field(fields, "deferred")),
        Long.parseLong(field(fields, "settleWithinMs")),
        Long.parseLong(field(fields, "grainMs")),
        Boolean.parseBoolean(field(fields, "transactional")),
        Long.parseLong(field(fields, "aheadMs")));
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the header has no '" + name + "'");
    }
    return value;
  }

  @Override
  public String toString() {
    return "name=%s deferred=%s settleWithinMs=%d grainMs=%d transactional=%s aheadMs=%d"
        .formatted(name, deferred, settleWithinMs, grainMs, transactional, aheadMs);
  }
}
