package dev.millrace.client.internal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callers of a wait line that leave with one write. As long as not all of them have queued, their
 * idle buckets are held: otherwise the first would go by itself, and the others one round trip
 * later.
 */
final class Departure {
  /** Longest time that an idle bucket is held for callers that have not queued yet. */
  static final long MAX_HOLD_MS = 2;

  private final LimiterCore core;
  private final List<Bucket> held;
  private final AtomicInteger missing;
  private final AtomicBoolean gone = new AtomicBoolean();
  private final CompletableFuture<Void> timer;

  private Departure(LimiterCore core, List<Bucket> held, int callers) {
    this.core = core;
    this.held = held;
    this.missing = new AtomicInteger(callers);
    this.timer = core.options().time().after(MAX_HOLD_MS);
  }

  /** Holds the buckets of {@code run} that are idle, until all of its callers have queued. */
  static void prepare(LimiterCore core, List<Waiter> run) {
    if (!core.options().grouping()
        || run.stream().anyMatch(waiter -> waiter.prepared().isTransactional())) {
      return; // they cannot share a write
    }
    Set<Bucket> buckets = new LinkedHashSet<>();
    for (Waiter waiter : run) {
      for (Leg leg : waiter.prepared().legs()) {
        buckets.add(core.bucket(leg.key()));
      }
    }
    List<Bucket> held = new ArrayList<>(buckets.size());
    for (Bucket bucket : buckets) {
      if (!core.drawing().isDivided(bucket) && bucket.channel().hold()) {
        held.add(bucket);
      }
    }
    if (held.isEmpty()) {
      return; // all of them queue behind a write as it is
    }
    Departure departure = new Departure(core, held, run.size());
    run.forEach(waiter -> waiter.departs(departure));
    // Off the timer's thread: with a blocking store the write may be made by whoever hands on.
    CompletableFuture<Void> unused = departure.timer.thenRunAsync(departure::go, core.background());
  }

  /** One more caller has queued, or does not need to. */
  void arrived() {
    if (missing.decrementAndGet() == 0) {
      go();
    }
  }

  private void go() {
    if (gone.compareAndSet(false, true)) {
      held.forEach(bucket -> core.relay().handOn(bucket));
      timer.complete(null); // frees it
    }
  }
}
