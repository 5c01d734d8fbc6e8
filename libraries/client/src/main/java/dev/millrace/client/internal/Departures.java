package dev.millrace.client.internal;

import dev.millrace.LimiterOptions;
import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.store.HelperThreads;
import dev.millrace.client.internal.write.LeaderRelay;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets callers of a wait line leave with one write. As long as not all of them have queued, their
 * idle buckets are held: otherwise the first would go by itself, and the others one round trip
 * later.
 */
final class Departures {
  /** Longest time that an idle bucket is held for callers that have not queued yet. */
  static final long MAX_HOLD_MS = 2;

  private final boolean grouping;
  private final TimeSource time;
  private final Mirror mirror;
  private final LeaderRelay relay;
  private final HelperThreads background;

  Departures(LimiterOptions options, Mirror mirror, LeaderRelay relay, HelperThreads background) {
    this.grouping = options.grouping();
    this.time = options.time();
    this.mirror = mirror;
    this.relay = relay;
    this.background = background;
  }

  /** Holds the buckets of {@code run} that are idle, until all of its callers have queued. */
  void prepare(List<Waiter> run) {
    if (!grouping || run.stream().anyMatch(waiter -> waiter.prepared().isTransactional())) {
      return; // they cannot share a write
    }
    Set<MirroredBucket> buckets = new LinkedHashSet<>();
    for (Waiter waiter : run) {
      for (Leg leg : waiter.prepared().legs()) {
        buckets.add(mirror.bucket(leg.key()));
      }
    }
    List<MirroredBucket> held = new ArrayList<>(buckets.size());
    for (MirroredBucket bucket : buckets) {
      if (!bucket.isDivided() && bucket.writeQueue().hold()) {
        held.add(bucket);
      }
    }
    if (held.isEmpty()) {
      return; // all of them queue behind a write as it is
    }
    Departure departure = new Departure(held, run.size());
    run.forEach(waiter -> waiter.departs(departure));
    // Off the timer's thread: with a blocking store the write may be made by whoever hands on.
    CompletableFuture<Void> unused = departure.timer.thenRunAsync(departure::go, background);
  }

  /** Callers that leave together, and the buckets that are held for them. */
  final class Departure {
    private final List<MirroredBucket> held;
    private final AtomicInteger missing;
    private final AtomicBoolean gone = new AtomicBoolean();
    private final CompletableFuture<Void> timer = time.after(MAX_HOLD_MS);

    private Departure(List<MirroredBucket> held, int callers) {
      this.held = held;
      this.missing = new AtomicInteger(callers);
    }

    /** One more caller has queued, or does not need to. */
    void arrived() {
      if (missing.decrementAndGet() == 0) {
        go();
      }
    }

    private void go() {
      if (gone.compareAndSet(false, true)) {
        held.forEach(relay::handOn);
        timer.complete(null); // frees it
      }
    }
  }
}
