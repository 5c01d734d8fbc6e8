package dev.millrace.client.internal.write;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.CloseReport;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.client.internal.store.HelperThreads;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.Throwables;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.SettleProtocol;
import dev.millrace.core.internal.protocol.UncertainCharge;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settlements of a limiter that are not written yet, by bucket: those that were deferred, and
 * those whose write failed. A bucket stays here when the mirror evicts it.
 *
 * <p>What waits for a bucket leaves with the next write of that bucket, or gets a write of its own
 * when it is due: a deferred amount after the time that the options say, a failed one after a
 * back-off that doubles from {@link SettlementSchedule#FIRST_RETRY_MS} to {@link #MAX_RETRY_MS}, or
 * at once when a store that was away is back. At most {@link SettlementSchedule#MAX_WRITES} such
 * writes are under way at a time. An amount that cannot be written for {@link #MAX_AGE_MS} is given
 * up; so is, when the limiter closes, what cannot be written in time. When {@link #MAX_BUCKETS}
 * wait, nothing further is taken, and a settlement is its caller's again.
 */
public final class PendingSettlements {
  /** Most buckets whose settlements wait. */
  public static final int MAX_BUCKETS = 100_000;

  /** Longest time from one failed write to the next. */
  public static final long MAX_RETRY_MS = 30_000;

  /** How long after a failed write the next one is due while the limiter closes. */
  public static final long CLOSING_RETRY_MS = 50;

  /** How long writes of a bucket may fail before its settlements are given up. */
  public static final long MAX_AGE_MS = 3_600_000;

  private final LimiterOptions options;
  private final Mirror mirror;
  private final LimiterEvents events;
  private final WriteIds ops;
  private final StoreClock clock;
  private final Map<BucketKey, PendingBucket> buckets = new ConcurrentHashMap<>();
  private final SettlementSchedule schedule;

  /** Guards the next two fields. */
  private final Object closeLock = new Object();

  private @Nullable CompletableFuture<CloseReport> closing;
  private final List<CloseReport.Unwritten> unwritten = new ArrayList<>();

  /** How many buckets have a place. */
  private final AtomicInteger known = new AtomicInteger();

  private volatile boolean draining;
  private volatile boolean ended;

  public PendingSettlements(
      LimiterOptions options,
      Mirror mirror,
      LimiterEvents events,
      WriteIds ops,
      StoreClock clock,
      HelperThreads background) {
    this.options = options;
    this.mirror = mirror;
    this.events = events;
    this.ops = ops;
    this.clock = clock;
    this.schedule =
        new SettlementSchedule(
            options.time(), background, this::write, this::remove, this::finishIfDrained);
  }

  /** When the writes are made, and how many are under way. */
  public SettlementSchedule schedule() {
    return schedule;
  }

  /** Lets a settlement wait for the next write; false when it must be written now. */
  public boolean defer(BucketKey key, EffectiveLimits terms, Amounts amounts) {
    return !draining && add(key, terms, amounts, options.maxDefer().toMillis());
  }

  /** Whether a settlement of the bucket must wait: too many of its charges may be written. */
  public boolean isInDoubt(BucketKey key) {
    PendingBucket bucket = known.get() == 0 ? null : buckets.get(key);
    return bucket != null && bucket.isInDoubt();
  }

  /**
   * Takes over an amount that is to be written as soon as possible; false when there is no room.
   */
  public boolean writeSoon(BucketKey key, EffectiveLimits terms, Amounts amounts) {
    boolean taken = add(key, terms, amounts, /* delayMs= */ 0);
    schedule.dispatch();
    return taken;
  }

  private boolean add(BucketKey key, EffectiveLimits terms, Amounts amounts, long delayMs) {
    long dueAtMs = nowMs() + delayMs;
    PendingBucket bucket = open(key);
    while (bucket != null && !bucket.add(terms, amounts, dueAtMs)) {
      bucket = open(key); // ends: another thread has just removed an empty one
    }
    if (!added(bucket)) {
      return false;
    }
    if (draining && bucket != null) { // what comes in while the limiter closes is due at once
      bucket.dueAt(nowMs());
      schedule.add(bucket);
      schedule.dispatch();
    }
    return true;
  }

  /** The place of a bucket, null when there are too many. */
  private @Nullable PendingBucket open(BucketKey key) {
    if (ended) {
      return null;
    }
    PendingBucket bucket = buckets.get(key);
    if (bucket != null) {
      return bucket;
    }
    if (known.get() >= MAX_BUCKETS) {
      return null;
    }
    return buckets.computeIfAbsent(
        key,
        absent -> {
          known.incrementAndGet();
          return new PendingBucket(absent);
        });
  }

  /** Sees to it that what was added is written in time; false when nothing was. */
  private boolean added(@Nullable PendingBucket bucket) {
    if (bucket == null) {
      return false;
    }
    if (bucket.countWaiting()) {
      schedule.waiting(1);
      events.settlementsPending(bucket.key(), 1);
    }
    schedule.add(bucket);
    if (ended) {
      giveUpAll(); // the limiter has closed meanwhile
    }
    return true;
  }

  /** Hands out what leaves with a write of a bucket: what is about the same limits. */
  public void take(BucketKey key, LimitSet limits, Consumer<Amounts> member) {
    PendingBucket bucket = known.get() == 0 ? null : buckets.get(key);
    if (bucket != null) {
      schedule.begun(); // until each is under way by itself
      bucket.take(limits).forEach(member);
      taken(bucket);
      schedule.ended();
    }
  }

  private void taken(PendingBucket bucket) {
    if (bucket.countTaken()) {
      schedule.waiting(-1);
      events.settlementsPending(bucket.key(), -1);
    }
  }

  private void remove(PendingBucket bucket) {
    buckets.computeIfPresent(
        bucket.key(),
        (key, there) -> {
          if (there == bucket && bucket.close()) {
            known.decrementAndGet();
            return null;
          }
          return there;
        });
  }

  /** Writes everything that waits for a bucket; what fails comes back. */
  private CompletableFuture<?> write(OperationRunner way, PendingBucket bucket) {
    List<CompletableFuture<?>> writes = new ArrayList<>(1);
    boolean inDoubt = bucket.isInDoubt();
    for (UncertainCharge charge : bucket.takeUncertain()) {
      writes.add(resolve(way, charge));
    }
    MirroredBucket live = mirror.bucket(bucket.key());
    int failures = bucket.failures();
    PendingBucket.Sum sum = inDoubt ? null : bucket.takeFirst();
    while (sum != null) { // ends: with the first that fails
      BucketOperation order = BucketOperation.settle(live, sum.terms(), sum.amounts());
      writes.add(way.commitDetached(order)); // what else waits for the same limits rides along
      sum = bucket.failures() == failures ? bucket.takeFirst() : null;
    }
    taken(bucket);
    return CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<?> resolve(OperationRunner way, UncertainCharge charge) {
    schedule.begun();
    CompletableFuture<SettleProtocol.Result> resolved;
    try {
      resolved =
          way.within(CallBudget.of(options))
              .run(SettleProtocol.resolve(charge, mirror.plan(), ops, clock.nowMs()));
    } catch (RuntimeException | Error broken) {
      resolved = CompletableFuture.failedFuture(broken);
    }
    return resolved.handle(
        (result, thrown) -> {
          if (thrown != null) {
            giveUp(charge.key(), charge.charges(), broken(thrown), /* mayBeWritten= */ true);
          } else if (result.failure() == null) {
            if (result.snapshot() != null) {
              mirror.saw(result.snapshot());
            }
            succeeded(charge.key());
            events.settled(charge.key(), charge.charges());
          } else {
            UncertainCharge left = result.uncertain() == null ? charge : result.uncertain();
            if (!keep(left, result.failure())) {
              giveUp(left.key(), left.charges(), result.failure(), /* mayBeWritten= */ true);
            }
          }
          schedule.ended();
          return null;
        });
  }

  /**
   * Takes over what a write has left open: settlements that were surely not written, and charges
   * that may be. What cannot be taken over keeps its outcome.
   */
  public CommitResult keep(
      EffectiveLimits terms, BucketKey key, List<BucketDemand> demands, CommitResult result) {
    List<Outcome> outcomes = null;
    UncertainCharge uncertain = result.uncertain();
    StoreFailure failure = null;
    boolean charged = uncertain != null && keep(uncertain, uncertain.failure());
    for (int i = 0; i < demands.size(); i++) {
      if (demands.get(i).kind() != BucketDemand.Kind.SETTLE) {
        continue;
      }
      Outcome outcome = result.outcomes().get(i);
      if (outcome instanceof Outcome.Settled) {
        succeeded(key);
      } else if (outcome instanceof Outcome.Unavailable unavailable) {
        Amounts amounts = demands.get(i).amounts();
        boolean kept =
            unavailable.mayBeCharged()
                ? charged && !amounts.givesBack()
                : keep(key, terms, amounts, unavailable.failure(), failure == null);
        if (kept) {
          failure = unavailable.failure();
          outcomes = outcomes == null ? new ArrayList<>(result.outcomes()) : outcomes;
          outcomes.set(i, new Outcome.Postponed(unavailable.failure()));
        }
      }
    }
    return outcomes == null ? result : result.with(outcomes);
  }

  /**
   * What becomes of a settlement whose caller waits no longer.
   *
   * @param abandoned whether it had left with a write, which goes on
   */
  public Outcome leave(
      MirroredBucket bucket,
      BucketOperation member,
      BucketOperation.Signal.Abandoned abandoned,
      StoreFailure.Kind reason) {
    StoreFailure failure = new StoreFailure(reason, null);
    if (abandoned.mayBeCharged()) {
      return goOn(bucket, member.demand(), abandoned.end(), failure);
    }
    return keep(bucket.key(), member.terms(), member.demand().amounts(), failure, true)
        ? new Outcome.Postponed(failure)
        : new Outcome.Unavailable(failure, /* mayBeCharged= */ false);
  }

  /** What becomes of a settlement that is under way when its caller waits no longer. */
  public Outcome goOn(
      MirroredBucket bucket,
      BucketDemand demand,
      CompletableFuture<Outcome> end,
      StoreFailure failure) {
    watch(bucket, demand, end);
    events.settlementPostponed(bucket.key(), demand.amounts(), failure);
    return new Outcome.Postponed(failure);
  }

  /** Takes over a settlement that was surely not written; false when there is no room. */
  private boolean keep(
      BucketKey key,
      EffectiveLimits terms,
      Amounts amounts,
      StoreFailure failure,
      boolean firstOfWrite) {
    PendingBucket bucket = openAfter(failure, key, firstOfWrite);
    while (bucket != null && !bucket.putBack(terms, amounts)) {
      bucket = openAfter(failure, key, firstOfWrite); // ends: as above
    }
    if (!added(bucket)) {
      return false;
    }
    events.settlementPostponed(key, amounts, failure);
    return true;
  }

  /** Takes over a charge that may be written; false when there is no room. */
  private boolean keep(UncertainCharge charge, StoreFailure failure) {
    BucketKey key = charge.key();
    PendingBucket bucket = openAfter(failure, key, /* firstOfWrite= */ true);
    if (bucket != null && !bucket.hasRoom()) {
      return false;
    }
    while (bucket != null && !bucket.putBack(charge)) {
      bucket = openAfter(failure, key, /* firstOfWrite= */ true); // ends: as above
    }
    if (!added(bucket)) {
      return false;
    }
    events.settlementPostponed(key, charge.charges(), failure);
    return true;
  }

  /** The place of a bucket whose write has failed, null when nothing more is taken. */
  private @Nullable PendingBucket openAfter(
      StoreFailure failure, BucketKey key, boolean firstOfWrite) {
    PendingBucket bucket = open(key);
    if (bucket == null) {
      return null;
    }
    if (bucket.isTooOld(nowMs())) {
      giveUp(bucket, failure);
      return null;
    }
    if (firstOfWrite) {
      bucket.failed(nowMs(), failure, draining ? CLOSING_RETRY_MS : MAX_RETRY_MS);
    }
    return bucket;
  }

  private void succeeded(BucketKey key) {
    PendingBucket bucket = known.get() == 0 ? null : buckets.get(key);
    if (bucket != null) {
      bucket.succeeded();
    }
  }

  /** A store that was away is back: what failed need not wait any longer. */
  public void storeBack() {
    for (PendingBucket bucket : buckets.values()) {
      if (bucket.failures() > 0) {
        bucket.dueAt(nowMs());
        schedule.add(bucket);
      }
    }
    schedule.dispatch();
  }

  /** Observes what becomes of a settlement for which no caller waits. */
  public void watch(MirroredBucket bucket, BucketDemand demand, CompletableFuture<Outcome> end) {
    BucketKey key = bucket.key();
    schedule.begun();
    CompletableFuture<Outcome> unused =
        end.whenComplete(
            (outcome, thrown) -> {
              if (thrown != null) {
                giveUp(key, demand.amounts(), broken(thrown), /* mayBeWritten= */ true);
              } else if (outcome instanceof Outcome.Unavailable left) {
                giveUp(key, demand.amounts(), left.failure(), left.mayBeCharged());
              } else if (outcome instanceof Outcome.Settled) {
                events.settled(key, demand.amounts());
              }
              schedule.ended();
            });
  }

  private static StoreFailure broken(Throwable thrown) {
    return new StoreFailure(StoreFailure.Kind.BROKEN, Throwables.unwrapped(thrown));
  }

  /** A settlement will not be written, or nobody knows whether it is: nothing more is done. */
  public void giveUp(BucketKey key, Amounts amounts, StoreFailure failure, boolean mayBeWritten) {
    synchronized (closeLock) {
      if (draining && unwritten.size() < MAX_BUCKETS) {
        unwritten.add(
            new CloseReport.Unwritten(
                key, amounts, mayBeWritten, failure.kind().name(), failure.cause()));
      }
    }
    events.settlementGivenUp(key, amounts, failure);
  }

  private void giveUp(PendingBucket bucket, StoreFailure failure) {
    for (UncertainCharge charge : bucket.takeUncertain()) {
      giveUp(charge.key(), charge.charges(), charge.failure(), /* mayBeWritten= */ true);
    }
    PendingBucket.Sum sum = bucket.takeFirst();
    while (sum != null) { // ends: nothing is added meanwhile that is not taken too
      giveUp(bucket.key(), sum.amounts(), failure, /* mayBeWritten= */ false);
      sum = bucket.takeFirst();
    }
    bucket.succeeded(); // what comes from now on has a time of its own
    taken(bucket);
  }

  private void giveUpAll() {
    for (PendingBucket bucket : buckets.values()) {
      giveUp(bucket, bucket.failure());
    }
  }

  /**
   * Writes down everything that waits.
   *
   * @param lastOnes adds what is only to be written because the limiter closes
   * @return completes when all is written, or {@link #endNow} is called
   */
  public CompletableFuture<CloseReport> drain(Runnable lastOnes) {
    CompletableFuture<CloseReport> end = new CompletableFuture<>();
    synchronized (closeLock) {
      if (closing != null) {
        return closing;
      }
      closing = end;
      draining = true;
    }
    schedule.begun(); // until all are due
    lastOnes.run();
    for (PendingBucket bucket : buckets.values()) {
      bucket.dueAt(nowMs());
      schedule.add(bucket);
    }
    schedule.dispatch();
    schedule.ended();
    return end;
  }

  /** Whether the limiter has been told to close. */
  public boolean isClosed() {
    return draining;
  }

  private void finishIfDrained() {
    if (draining && !ended && schedule.isIdle()) {
      endNow();
    }
  }

  /** The time is over: what is not written by now is given up. */
  public void endNow() {
    CompletableFuture<CloseReport> end;
    synchronized (closeLock) {
      end = closing;
      if (ended || end == null) {
        return;
      }
      ended = true;
    }
    schedule.stop();
    giveUpAll();
    List<CloseReport.Unwritten> left;
    synchronized (closeLock) {
      left = List.copyOf(unwritten);
    }
    end.complete(new CloseReport(left, schedule.underWay()));
  }

  private long nowMs() {
    return options.time().elapsedMs();
  }
}
