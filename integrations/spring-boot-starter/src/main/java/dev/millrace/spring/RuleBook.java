package dev.millrace.spring;

import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.spring.expression.Charge;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything that is limited in this application, by what it stands on. Filled while the beans are
 * made, read by the endpoint. Bounded by what somebody wrote down.
 */
public final class RuleBook {
  /** Most charges that are remembered: what comes later holds, and is not shown. */
  public static final int MAX_RULES = 10_000;

  private final Map<String, Charge> charges = new LinkedHashMap<>();

  /** Notes that {@code charge} holds for {@code where}. */
  public synchronized void add(String where, Charge charge) {
    if (charges.size() < MAX_RULES) {
      charges.put(where, charge);
    }
  }

  /** What holds where, in the order in which it was found. */
  public synchronized Map<String, Charge> charges() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(charges));
  }

  /** The limits that come with calls for {@code resource}; none when they are stored. */
  public synchronized Limit[] limits(String resource) {
    for (Charge charge : charges.values()) {
      LimitSet limits = charge.limits();
      if (limits != null && resource.equals(charge.resource().literal())) {
        return limits.asList().toArray(Limit[]::new);
      }
    }
    return new Limit[0];
  }
}
