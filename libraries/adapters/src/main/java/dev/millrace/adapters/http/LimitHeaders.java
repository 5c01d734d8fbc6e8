package dev.millrace.adapters.http;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.MillraceException;
import dev.millrace.RateLimiter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The header fields {@code RateLimit-Policy} and {@code RateLimit} of the IETF's draft, structured
 * fields both: {@code "rpm";q=100;w=60} defines the limit, {@code "rpm";r=50;t=30} means that 50
 * are left and that it is full again in 30 s. A limit of another entity or resource than the first
 * is named in full, {@code "acme/gpt-4/tpm"}.
 */
public final class LimitHeaders {
  /** Most limits in the fields, which have to stay short. */
  public static final int MAX_LIMITS = 16;

  /** The field of the definitions of the limits. */
  public static final String POLICY = "ratelimit-policy";

  /** The field of their balances. */
  public static final String STANDING = "ratelimit";

  /** The field of the time to retry after. */
  public static final String RETRY_AFTER = "retry-after";

  private static final long SECOND_MS = 1_000;

  private LimitHeaders() {}

  /** The fields for {@code statuses}, those of the caller's own entity first; none for none. */
  public static Map<String, String> of(List<LimitStatus> statuses) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (statuses.isEmpty()) {
      return fields;
    }
    StringBuilder policies = new StringBuilder();
    StringBuilder limits = new StringBuilder();
    for (LimitStatus status : statuses.subList(0, Math.min(statuses.size(), MAX_LIMITS))) {
      String name = name(status, statuses.get(0));
      append(policies, policy(name, status.limit()));
      append(limits, limit(name, status));
    }
    fields.put(POLICY, policies.toString());
    fields.put(STANDING, limits.toString());
    return fields;
  }

  /**
   * The fields for the buckets of {@code request}, in their current state; costs a read of the
   * store. None when it cannot be read: a response must not fail for them.
   */
  public static Map<String, String> now(RateLimiter limiter, AcquireRequest request) {
    try {
      return of(
          limiter.available(request.entityId(), request.resource(), limits(request)).statuses());
    } catch (MillraceException e) {
      return Map.of();
    }
  }

  /** {@link #now} without blocking. */
  public static CompletionStage<Map<String, String>> nowAsync(
      RateLimiter limiter, AcquireRequest request) {
    return limiter
        .availableAsync(request.entityId(), request.resource(), limits(request))
        .handle((left, failure) -> left == null ? Map.of() : of(left.statuses()));
  }

  private static Limit[] limits(AcquireRequest request) {
    LimitSet own = request.draws().get(0).limits();
    return own == null ? new Limit[0] : own.asList().toArray(Limit[]::new);
  }

  private static void append(StringBuilder list, String item) {
    list.append(list.isEmpty() ? "" : ", ").append(item);
  }

  /** Names contain no quotes and no backslashes, so they need no escape. */
  private static String name(LimitStatus status, LimitStatus first) {
    boolean own =
        status.entityId().equals(first.entityId()) && status.resource().equals(first.resource());
    return own ? status.name() : status.entityId() + "/" + status.resource() + "/" + status.name();
  }

  private static String policy(String name, Limit limit) {
    long periodMs = limit.refill().periodMs();
    String quota = "\"" + name + "\";q=" + limit.refill().amountMilli() / Limit.MILLI;
    return periodMs % SECOND_MS == 0 ? quota + ";w=" + periodMs / SECOND_MS : quota;
  }

  private static String limit(String name, LimitStatus status) {
    long missingMilli = Math.max(0, status.limit().burstMilli() - status.availableMilli());
    long fullMs = missingMilli == 0 ? 0 : status.limit().refill().timeToEarnMs(missingMilli);
    long seconds = -Math.floorDiv(-fullMs, SECOND_MS); // up: never full too early
    return "\"" + name + "\";r=" + Math.max(0, status.available()) + ";t=" + seconds;
  }
}
