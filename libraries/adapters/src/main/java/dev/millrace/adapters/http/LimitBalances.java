package dev.millrace.adapters.http;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The state of limits as responses show it: whole tokens, rounded down. */
public final class LimitBalances {
  private LimitBalances() {}

  public static List<Map<String, Object>> of(List<LimitStatus> statuses) {
    return statuses.stream().map(LimitBalances::of).toList();
  }

  /** One limit: its name, its rate, and its balance. */
  public static Map<String, Object> of(LimitStatus status) {
    Limit limit = status.limit();
    Map<String, Object> members = owner(status);
    members.put("rate", limit.refill().amountMilli() / Limit.MILLI);
    members.put("per", Duration.ofMillis(limit.refill().periodMs()).toString());
    members.put("burst", limit.burstMilli() / Limit.MILLI);
    members.put("remaining", status.available());
    if (limit.soft()) {
      members.put("soft", true);
    }
    return members;
  }

  static Map<String, Object> owner(LimitStatus status) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("entity", status.entityId());
    members.put("resource", status.resource());
    members.put("limit", status.name());
    return members;
  }
}
