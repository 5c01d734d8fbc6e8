package dev.millrace;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request was refused. Carries the status of every limit; has no stack trace, because it is
 * thrown thousands of times a second and says nothing about where.
 */
public final class RateLimitExceededException extends MillraceException {
  private static final long serialVersionUID = 1L;

  private final transient Rejection rejection;

  /** The refusal as an exception. */
  public RateLimitExceededException(Rejection rejection) {
    super("rate limit exceeded", describe(rejection), null, /* withStackTrace= */ false);
    this.rejection = rejection;
  }

  /** The status of every limit and how long to wait. */
  public Rejection rejection() {
    return rejection;
  }

  private static Map<String, Object> describe(Rejection rejection) {
    LimitStatus primary = rejection.primary();
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("entity", primary.entityId());
    attributes.put("resource", primary.resource());
    attributes.put("limit", primary.limit().toString());
    attributes.put("requested", Limit.tokens(primary.requestedMilli()));
    attributes.put("available", Limit.tokens(primary.availableMilli()));
    attributes.put(
        "retryAfter", primary.retryAfter().map(Object::toString).orElse("never: above the burst"));
    return attributes;
  }
}
