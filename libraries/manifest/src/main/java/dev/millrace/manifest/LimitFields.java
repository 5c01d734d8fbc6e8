package dev.millrace.manifest;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** The written form of a limit, in a manifest and in a backup alike. */
public final class LimitFields {
  private LimitFields() {}

  /** Whether the short notation expresses all of it. */
  public static boolean isNotation(Limit limit) {
    try {
      return LimitNotation.parse(LimitNotation.format(limit)).equals(limit);
    } catch (IllegalArgumentException e) {
      return false; // parts of tokens, or of seconds
    }
  }

  /** The limit field by field: texts, numbers and booleans. */
  public static Map<String, Object> of(Limit limit, boolean global) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", limit.name());
    fields.put("rate", tokens(limit.refill().amountMilli()));
    fields.put("per", limit.refill().periodMs() + "ms");
    fields.put("capacity", tokens(limit.capacityMilli()));
    fields.put("burst", tokens(limit.burstMilli()));
    if (limit.soft()) {
      fields.put("soft", true);
    }
    if (global) {
      fields.put("scope", "global");
    }
    return fields;
  }

  private static BigDecimal tokens(long milli) {
    return new BigDecimal(Limit.tokens(milli));
  }
}
