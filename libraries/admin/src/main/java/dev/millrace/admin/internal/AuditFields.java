package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RegionsPart;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The form in which audit events show records: field by field, as text. */
final class AuditFields {
  private AuditFields() {}

  static Map<String, String> of(@Nullable EntityRecord entity) {
    Map<String, String> fields = new TreeMap<>();
    if (entity != null) {
      fields.put("name", entity.name());
      put(fields, "parent", entity.parentId());
      fields.put("cascade", String.valueOf(entity.cascade()));
      fields.put("disabled", String.valueOf(entity.disabled()));
      entity.metadata().forEach((key, value) -> fields.put("metadata." + key, value));
    }
    return fields;
  }

  static Map<String, String> of(@Nullable ConfigRecord config) {
    Map<String, String> fields = new TreeMap<>();
    if (config != null) {
      if (config.limits() != null) {
        config.limits().forEach(limit -> fields.put("limit." + limit.name(), text(limit)));
      }
      RegionsPart regions = config.regions();
      if (regions != null) {
        regions.texts().forEach((name, text) -> fields.put("regions." + name, text));
        if (regions.whole() != null) {
          regions.whole().forEach(limit -> fields.put("whole." + limit.name(), text(limit)));
        }
      }
      put(fields, "cascade", config.cascade());
      if (config.disabled()) {
        fields.put("disabled", "true");
      }
      put(fields, "onUnavailable", config.onUnavailable());
      put(fields, "auditRetentionDays", config.auditRetentionDays());
    }
    return fields;
  }

  static Map<String, String> of(@Nullable NamespaceRecord namespace) {
    return namespace == null
        ? Map.of()
        : Map.of("id", namespace.id(), "state", namespace.state().name());
  }

  /** All parts of a limit, so that it could be set again from the event. */
  static String text(Limit limit) {
    return "capacity "
        + Limit.tokens(limit.capacityMilli())
        + ", burst "
        + Limit.tokens(limit.burstMilli())
        + ", refill "
        + Limit.tokens(limit.refill().amountMilli())
        + " every "
        + limit.refill().periodMs()
        + " ms"
        + (limit.soft() ? ", soft" : "");
  }

  private static void put(Map<String, String> fields, String field, @Nullable Object value) {
    if (value != null) {
      fields.put(field, value.toString());
    }
  }
}
