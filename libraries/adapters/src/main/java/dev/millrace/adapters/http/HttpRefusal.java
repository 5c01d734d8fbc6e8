package dev.millrace.adapters.http;

import dev.millrace.core.decision.Disabled;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterDisabledException;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.error.RateLimitExceededException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A request that was not admitted, as it is answered over HTTP: 429 when a limit refused, 403 when
 * something is switched off, 503 when the store cannot be reached. The same everywhere, whichever
 * server or framework answers.
 *
 * @param problem the body, as RFC 9457 writes it; names every limit that refused
 * @param fields header fields by name
 */
public record HttpRefusal(Problem problem, Map<String, String> fields) {
  /** Seconds after which a caller may come again when nobody can know better. */
  public static final String RETRY_SOON = "1";

  /** Most causes that are looked through for what is behind them. */
  private static final int MAX_CAUSES = 8;

  /** Keeps the fields as they are now, in their order. */
  public HttpRefusal {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** 429: which limits, how much there is, and when to come again. */
  public static HttpRefusal of(Rejection rejection) {
    Map<String, String> fields = LimitHeaders.of(rejection.statuses());
    Problem problem =
        Problem.of(429, "quota-exceeded", "A limit is exceeded")
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

  /** 403: no waiting helps until an operator switches it on. */
  public static HttpRefusal of(Disabled disabled) {
    return new HttpRefusal(
        Problem.of(403, "switched-off", "An operator has switched this off")
            .with("entity", disabled.entityId())
            .with("resource", disabled.resource()),
        Map.of());
  }

  /** 503: nobody can tell now. Says whether it may have been charged all the same. */
  public static HttpRefusal of(LimiterUnavailableException away) {
    Problem problem = Problem.of(503, "store-unavailable", "The store cannot be reached now");
    Object charged = away.attributes().get("mayBeCharged");
    return new HttpRefusal(
        charged instanceof Boolean may ? problem.with("mayBeCharged", may) : problem,
        Map.of(LimitHeaders.RETRY_AFTER, RETRY_SOON));
  }

  /** What was thrown, if it means that a request was not admitted; else it is no refusal. */
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

  /** What is behind exceptions that futures wrap around others. */
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

  /** The status of the answer. */
  public int status() {
    return problem.status();
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
