package dev.millrace.server.observability;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterEvent.Decision;
import dev.millrace.LimiterListener;
import java.time.InstantSource;

/** Statistics of the recent activity of the server, of bounded size, for the page. */
final class LiveStats {
  private static final int SHOWN = 10;

  private final InstantSource clock;
  private final RecentRequests requests = new RecentRequests();
  private final LargestBuckets consumers = new LargestBuckets();
  private final LargestBuckets refused = new LargestBuckets();

  LiveStats(InstantSource clock) {
    this.clock = clock;
  }

  /** A listener to the limiter of a namespace; bucket keys have its id, not its name. */
  LimiterListener listener(String namespace) {
    return event -> {
      if (event instanceof Decision decision) {
        decided(bucket(namespace, decision.bucket()), decision);
      }
    };
  }

  private void decided(LargestBuckets.Key bucket, Decision decision) {
    long nowMs = clock.millis();
    Amounts amounts = decision.amounts();
    if (decision.outcome() == Decision.Outcome.ADMITTED && amounts != null) {
      requests.count(nowMs / 1_000, true);
      consumers.add(bucket, tokens(amounts), nowMs);
    } else if (decision.outcome() == Decision.Outcome.REFUSED) {
      requests.count(nowMs / 1_000, false);
      refused.add(bucket, 1, nowMs);
    }
  }

  private static LargestBuckets.Key bucket(String namespace, BucketKey key) {
    return new LargestBuckets.Key(namespace, key.entityId(), key.resource());
  }

  /** The largest amount of the limits: the tokens of a model, not the one request beside them. */
  private static long tokens(Amounts amounts) {
    long most = 0;
    for (int i = 0; i < amounts.limits().size(); i++) {
      most = Math.max(most, amounts.milli(i) / Limit.MILLI);
    }
    return most;
  }

  void took(long nanos) {
    requests.took(clock.millis() / 1_000, nanos);
  }

  LiveSnapshot snapshot() {
    long nowMs = clock.millis();
    long second = nowMs / 1_000;
    return new LiveSnapshot(
        nowMs,
        requests.until(second),
        requests.percentileMs(50, second),
        requests.percentileMs(99, second),
        consumers.top(SHOWN, nowMs),
        refused.top(SHOWN, nowMs));
  }
}
