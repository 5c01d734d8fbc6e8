package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired state as maps, lists, texts, numbers and booleans, under the field names of a
 * manifest. Unset fields are left out.
 */
public final class SpecFields {
  private SpecFields() {}

  public static Map<String, Object> of(SystemSpec spec) {
    Map<String, Object> fields = new LinkedHashMap<>();
    limits(fields, spec.limits(), null);
    if (spec.onUnavailable() != null) {
      fields.put("onUnavailable", spec.onUnavailable().name().toLowerCase(Locale.ROOT));
    }
    put(fields, "auditRetentionDays", spec.auditRetentionDays());
    return fields;
  }

  public static Map<String, Object> of(LevelSpec spec) {
    Map<String, Object> fields = new LinkedHashMap<>();
    limits(fields, spec.limits(), spec.global());
    put(fields, "cascade", spec.cascade());
    put(fields, "disabled", spec.disabled());
    return fields;
  }

  /** Of an entity, without its id. */
  public static Map<String, Object> of(EntitySpec spec, boolean withReserved) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!spec.recorded()) {
      fields.put("limitsOnly", true);
    }
    if (spec.name() != null && !spec.name().isEmpty()) {
      fields.put("name", spec.name());
    }
    put(fields, "parent", spec.parent());
    if (spec.cascade()) {
      fields.put("cascade", true);
    }
    if (Boolean.TRUE.equals(spec.disabled()) || (withReserved && spec.disabled() != null)) {
      fields.put("disabled", spec.disabled());
    }
    metadata(fields, spec, withReserved);
    limits(fields, spec.own().limits(), null);
    if (!spec.resources().isEmpty()) {
      Map<String, Object> resources = new LinkedHashMap<>();
      spec.resources().forEach((name, level) -> resources.put(name, of(level)));
      fields.put("resources", resources);
    }
    return fields;
  }

  private static void metadata(Map<String, Object> fields, EntitySpec spec, boolean withReserved) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    if (spec.metadata() != null) {
      spec.metadata()
          .forEach(
              (key, value) -> {
                if (withReserved || !key.startsWith(EntitySpec.RESERVED)) {
                  metadata.put(key, value);
                }
              });
    }
    if (!metadata.isEmpty()) {
      fields.put("metadata", metadata);
    }
  }

  private static void limits(
      Map<String, Object> fields, @Nullable LimitSet own, @Nullable LimitSet global) {
    List<Object> limits = new ArrayList<>();
    if (own != null) {
      for (Limit limit : own) {
        limits.add(isNotation(limit) ? limit.toString() : of(limit, false));
      }
    }
    if (global != null) {
      global.forEach(limit -> limits.add(of(limit, true)));
    }
    if (!limits.isEmpty()) {
      fields.put("limits", limits);
    }
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  /** Whether the short notation expresses all of a limit. */
  private static boolean isNotation(Limit limit) {
    try {
      return LimitNotation.parse(LimitNotation.format(limit)).equals(limit);
    } catch (IllegalArgumentException e) {
      return false; // parts of tokens, or of seconds
    }
  }

  private static Map<String, Object> of(Limit limit, boolean global) {
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
