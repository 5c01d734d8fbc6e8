package dev.millrace.client.internal;

import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.shard.BucketForecast;
import dev.millrace.client.internal.store.LimiterEvents;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The wait lines of a limiter, one for each bucket that callers wait for. */
final class WaitLines {
  /** Longest time that a caller may wait. */
  static final Duration MAX_WAIT = Duration.ofDays(1);

  private final LimiterOptions options;
  private final BucketForecast views;
  private final LimiterEvents events;
  private final Departures departures;
  private final ConcurrentHashMap<BucketKey, WaitLine> lines = new ConcurrentHashMap<>();

  WaitLines(
      LimiterOptions options, BucketForecast views, LimiterEvents events, Departures departures) {
    this.options = options;
    this.views = views;
    this.events = events;
    this.departures = departures;
  }

  static long requireMaxWaitMs(Duration maxWait) {
    if (maxWait.isNegative() || maxWait.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "maxWait " + maxWait + " must be from PT0S to " + MAX_WAIT);
    }
    return maxWait.toMillis();
  }

  /** Puts a caller at the end of the line of its first bucket, and tells it when it may ask. */
  Waiter enter(ResolvedRequest prepared, long maxWaitMs) {
    Waiter[] entered = {null};
    lines.compute(
        prepared.key(),
        (key, known) -> {
          WaitLine line = known == null ? new WaitLine(options, views, departures) : known;
          entered[0] = line.enter(prepared, maxWaitMs);
          return line;
        });
    Waiter waiter = entered[0];
    if (waiter == null) {
      events.waitLineFull(prepared.key());
      throw new LimiterUnavailableException(
          "too many callers wait for this bucket",
          Map.of("bucket", prepared.key(), "maxWaiters", options.maxWaiters()),
          null);
    }
    waiter.line().advance();
    return waiter;
  }

  /** Whether a caller goes back to its place, because it was refused and has time left. */
  boolean comesAgain(Waiter waiter, Acquisition acquisition) {
    return acquisition instanceof Acquisition.Refused refused
        && waiter.line().comesAgain(waiter, refused.rejection());
  }

  /** Takes a caller out of its line, served or not. Safe to call twice. */
  void leave(Waiter waiter) {
    waiter.left();
    if (waiter.line().leave(waiter)) {
      lines.computeIfPresent(waiter.prepared().key(), (key, line) -> line.isEmpty() ? null : line);
      waiter.line().advance();
    }
  }
}
