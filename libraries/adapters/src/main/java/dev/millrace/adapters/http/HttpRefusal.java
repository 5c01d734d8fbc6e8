package dev.millrace.adapters.http;

import dev.millrace.DisabledBucket;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterDisabledException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.Rejection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * The HTTP response to a request that was not admitted: 429 when a limit refused, 403 when the
 * entity or resource is disabled, 503 when the store is unavailable. It is the same for every
 * server and framework.
 *
 * @param problem the body, as RFC 9457 defines it; names every limit that refused
 * @param fields header fields by name
 */
public record HttpRefusal(HttpProblem problem, Map<String, String> fields) {
  /** Seconds after which a caller may retry when no better estimate exists. */
  public static final String RETRY_SOON = "1";

  /** Most causes that are examined for a refusal. */
  private static final int MAX_CAUSES = 8;

  public HttpRefusal {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** 429: the limits, their balances, and the time to retry after. */
  public static HttpRefusal of(Rejection rejection) {
    Map<String, String> fields = LimitHeaders.of(rejection.statuses());
    HttpProblem problem =
        HttpProblem.of(429, "quota-exceeded", "A limit is exceeded")
            .with(
                "violations", rejection.violations().stream().map(HttpRefusal::violation).toList());
    if (rejection.retryAfterMs() == LimitStatus.NEVER) {
      return new HttpRefusal(
          problem.detail("the request is larger than a limit can ever hold: no waiting helps"),
          fields);
    }
    fields.put(LimitHeaders.RETRY_AFTER, String.valueOf(rejection.retryAfterSeconds()));
    return new HttpRefusal(problem.with("retryAfterMs", rejection.retryAfterMs()), fields);
  }

  /** 403: waiting does not help until an operator enables it. */
  public static HttpRefusal of(DisabledBucket disabled) {
    return new HttpRefusal(
        HttpProblem.of(403, "switched-off", "An operator has switched this off")
            .with("entity", disabled.entityId())
            .with("resource", disabled.resource()),
        Map.of());
  }

  /** 503: the decision is unknown. Says whether it may have been charged all the same. */
  public static HttpRefusal of(LimiterUnavailableException away) {
    HttpProblem problem =
        HttpProblem.of(503, "store-unavailable", "The store cannot be reached now");
    Object charged = away.attributes().get("mayBeCharged");
    return new HttpRefusal(
        charged instanceof Boolean may ? problem.with("mayBeCharged", may) : problem,
        Map.of(LimitHeaders.RETRY_AFTER, RETRY_SOON));
  }

  /**
   * The refusal that {@code thrown} stands for, if the request was not admitted; otherwise empty.
   */
  public static Optional<HttpRefusal> of(Throwable thrown) {
    Throwable cause = unwrapped(thrown);
    if (cause instanceof RateLimitExceededException refused) {
      return Optional.of(of(refused.rejection()));
    }
    if (cause instanceof LimiterDisabledException off) {
      return Optional.of(of(off.disabled()));
    }
    return cause instanceof LimiterUnavailableException away
        ? Optional.of(of(away))
        : Optional.empty();
  }

  /** The exception behind the wrappers of futures. */
  public static Throwable unwrapped(Throwable thrown) {
    Throwable cause = thrown;
    for (int i = 0; i < MAX_CAUSES; i++) {
      boolean wrapped = cause instanceof CompletionException || cause instanceof ExecutionException;
      Throwable inner = cause.getCause();
      if (!wrapped || inner == null) {
        break;
      }
      cause = inner;
    }
    return cause;
  }

  public int status() {
    return problem.status();
  }

  private static Map<String, Object> violation(LimitStatus status) {
    Map<String, Object> members = LimitBalances.owner(status);
    members.put("available", status.available());
    members.put("requested", status.requested());
    if (status.retryAfterMs() != LimitStatus.NEVER) {
      members.put("retryAfterMs", status.retryAfterMs());
    }
    return members;
  }
}
