package dev.millrace.server.observability;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterListener;
import dev.millrace.Rejection;
import dev.millrace.server.live.LiveSnapshot;
import dev.millrace.server.live.LiveSource;
import java.time.InstantSource;

/** What happens right now, for people who watch. All of it is bounded, whatever comes. */
public final class LiveStats implements LiveSource {
  /** How many are shown as the largest. */
  static final int SHOWN = 10;

  private final InstantSource clock;
  private final RecentSeconds seconds = new RecentSeconds();
  private final RecentLatency latency = new RecentLatency();
  private final TopTalkers consumers = new TopTalkers();
  private final TopTalkers refused = new TopTalkers();

  /** Nothing has happened yet. */
  public LiveStats(InstantSource clock) {
    this.clock = clock;
  }

  /** Hears the limiter of a namespace; keys have its id, people know its name. */
  public LimiterListener in(String namespace) {
    return new LimiterListener() {
      @Override
      public void onAdmitted(BucketKey key, Amounts amounts) {
        long nowMs = clock.millis();
        seconds.add(nowMs / 1_000, true);
        consumers.add(talker(namespace, key), tokens(amounts), nowMs);
      }

      @Override
      public void onRefused(BucketKey key, Rejection rejection) {
        long nowMs = clock.millis();
        seconds.add(nowMs / 1_000, false);
        refused.add(talker(namespace, key), 1, nowMs);
      }
    };
  }

  private static TopTalkers.Key talker(String namespace, BucketKey key) {
    return new TopTalkers.Key(namespace, key.entityId(), key.resource());
  }

  /** Of several limits the largest amount: tokens of a model, not the one request beside them. */
  private static long tokens(Amounts amounts) {
    long most = 0;
    for (int i = 0; i < amounts.limits().size(); i++) {
      most = Math.max(most, amounts.milli(i) / Limit.MILLI);
    }
    return most;
  }

  /** A request for tokens was answered after so long. */
  void answered(long nanos) {
    latency.add(clock.millis() / 1_000, nanos);
  }

  @Override
  public LiveSnapshot snapshot() {
    long nowMs = clock.millis();
    long second = nowMs / 1_000;
    return new LiveSnapshot(
        nowMs,
        seconds.until(second),
        latency.percentileMs(50, second),
        latency.percentileMs(99, second),
        consumers.top(SHOWN, nowMs),
        refused.top(SHOWN, nowMs));
  }
}
