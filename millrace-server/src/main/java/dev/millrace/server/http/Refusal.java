package dev.millrace.server.http;

import dev.millrace.core.decision.Disabled;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.server.problem.Problem;
import java.util.LinkedHashMap;
import java.util.Map;

/** A refusal by a limit or a switch, as it is answered. */
final class Refusal {
  private Refusal() {}

  /** 429: which limits, how much there is, and when to come again. */
  static Troubles.Trouble of(Rejection rejection) {
    Map<String, String> fields = RateLimitFields.of(rejection.statuses());
    Problem problem =
        Problem.of(429, "quota-exceeded", "A limit is exceeded")
            .with("violations", rejection.violations().stream().map(Refusal::violation).toList());
    if (rejection.retryAfterMs() == LimitStatus.NEVER) {
      return new Troubles.Trouble(
          problem.detail("the request is larger than a limit can ever hold: no waiting helps"),
          fields);
    }
    Map<String, String> all = new LinkedHashMap<>(fields);
    all.put(Troubles.RETRY_AFTER, String.valueOf(rejection.retryAfterSeconds()));
    return new Troubles.Trouble(problem.with("retryAfterMs", rejection.retryAfterMs()), all);
  }

  /** 403: no waiting helps until an operator switches it on. */
  static Problem of(Disabled disabled) {
    return Problem.of(403, "switched-off", "An operator has switched this off")
        .with("entity", disabled.entityId())
        .with("resource", disabled.resource());
  }

  private static Map<String, Object> violation(LimitStatus status) {
    Map<String, Object> members = Balances.whose(status);
    members.put("available", status.available());
    members.put("requested", status.requested());
    if (status.retryAfterMs() != LimitStatus.NEVER) {
      members.put("retryAfterMs", status.retryAfterMs());
    }
    return members;
  }
}
