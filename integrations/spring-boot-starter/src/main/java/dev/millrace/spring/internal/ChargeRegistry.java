package dev.millrace.spring.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The registry of everything that is limited in this application, by its place in the code. Filled
 * while the beans are created, read by the endpoint. Bounded by the number of rules in the
 * application.
 */
final class ChargeRegistry {
  /** Most registered charges: later ones apply, and are not shown. */
  static final int MAX_RULES = 10_000;

  private final Map<String, ChargeExpression> charges = new LinkedHashMap<>();

  synchronized void add(String where, ChargeExpression charge) {
    if (charges.size() < MAX_RULES) {
      charges.put(where, charge);
    }
  }

  /** The charges by place, in the order of registration. */
  synchronized Map<String, ChargeExpression> charges() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(charges));
  }

  /** The limits that come with calls for {@code resource}; none when they are stored. */
  synchronized Limit[] limits(String resource) {
    for (ChargeExpression charge : charges.values()) {
      LimitSet limits = charge.limits();
      if (limits != null && resource.equals(charge.resource().literal())) {
        return limits.asList().toArray(Limit[]::new);
      }
    }
    return new Limit[0];
  }
}
