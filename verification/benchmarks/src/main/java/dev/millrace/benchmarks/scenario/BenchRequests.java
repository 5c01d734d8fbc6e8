package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The requests that scenarios make: prepared once and reused, as an application would. */
final class BenchRequests {
  private static final String RESOURCE = "gpt-4";
  private static final long AMPLE_PER_SECOND = 100_000_000;
  private static final long TOKENS_PER_REQUEST = 100;

  private BenchRequests() {}

  /** One request and some tokens of two limits far above any load. */
  static AcquireRequest ample(String entityId) {
    return limited(entityId, AMPLE_PER_SECOND);
  }

  /** The same for so many entities. */
  static List<AcquireRequest> ampleOf(int entities) {
    List<AcquireRequest> requests = new ArrayList<>(entities);
    for (int i = 0; i < entities; i++) {
      requests.add(ample("tenant-%04d".formatted(i)));
    }
    return requests;
  }

  /** One request and some tokens of two limits of which the first is {@code perSecond}. */
  static AcquireRequest limited(String entityId, long perSecond) {
    return unlimited(entityId)
        .limits(
            Limit.perSecond("rpm", perSecond),
            Limit.perSecond("tpm", perSecond * TOKENS_PER_REQUEST * 10));
  }

  /** One request and some tokens of two limits that are stored. */
  static AcquireRequest unlimited(String entityId) {
    return AcquireRequest.of(entityId, RESOURCE)
        .consume("rpm", 1)
        .consume("tpm", TOKENS_PER_REQUEST);
  }

  /** One request of one limit: what a local limiter of others is asked. */
  static AcquireRequest ofOneLimit(String entityId, long amount, Duration period) {
    return AcquireRequest.of(entityId, RESOURCE)
        .limits(Limit.custom("requests", amount, amount, period))
        .consume("requests", 1);
  }
}
