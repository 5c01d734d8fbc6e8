package dev.millrace.cli.demo;

import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;

/** Whose buckets the demo uses. */
final class Tenants {
  /** A key of an LLM gateway with two limits, as in the README. */
  static final AcquireRequest GATEWAY_KEY =
      AcquireRequest.of("key-42", "gpt-4")
          .limits(Limit.perMinute("rpm", 100), Limit.perMinute("tpm", 10_000));

  /** Ten a second, unused ones kept up to 20. */
  static final Limit SEARCHES = Limit.perSecond("rps", 10).withBurst(20);

  /** Ten tokens a second, so that every millisecond earns a whole number of millitokens. */
  static final Limit SMALL_BUDGET = Limit.perMinute("tpm", 600);

  private Tenants() {}
}
