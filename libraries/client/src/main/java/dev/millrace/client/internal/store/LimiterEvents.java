package dev.millrace.client.internal.store;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.CloseReport;
import dev.millrace.DisabledBucket;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterEvent.BucketTransition.Change;
import dev.millrace.LimiterEvent.Decision;
import dev.millrace.LimiterEvent.Notice;
import dev.millrace.LimiterEvent.RoundTrip;
import dev.millrace.LimiterEvent.SettlementProgress;
import dev.millrace.LimiterEvent.SettlementProgress.State;
import dev.millrace.LimiterEvent.StoreAvailability;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.Rejection;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The events of one limiter: each is counted, logged if an operator must know of it, and passed to
 * the listeners. The object that listeners get is only made when there is one.
 *
 * <p>Whatever a listener throws, an {@code Error} included, is counted and goes no further: a write
 * whose outcome is being delivered must reach the callers that wait for it.
 */
public final class LimiterEvents {
  private final List<LimiterListener> listeners;
  private final boolean heard;
  private final LimiterCounters counters = new LimiterCounters();
  private final TroubleLog log;
  private final AtomicBoolean failureLogged = new AtomicBoolean();

  public LimiterEvents(LimiterOptions options) {
    this.listeners = options.listeners();
    this.heard = !listeners.isEmpty();
    this.log = new TroubleLog(options.time());
  }

  /** The counts of this moment. */
  public LimiterMetrics metrics() {
    return counters.snapshot();
  }

  /** A request was admitted and charged, although the limits in {@code overdrawn} were short. */
  public void admitted(BucketKey bucket, Amounts amounts, List<LimitStatus> overdrawn) {
    counters.admitted.increment();
    if (!overdrawn.isEmpty()) {
      counters.overdrawn.increment();
    }
    if (heard) {
      pass(new Decision(Decision.Outcome.ADMITTED, bucket, amounts, overdrawn, null, null));
    }
  }

  public void refused(BucketKey bucket, Rejection rejection) {
    counters.refused.increment();
    if (heard) {
      pass(new Decision(Decision.Outcome.REFUSED, bucket, null, List.of(), rejection, null));
    }
  }

  public void disabled(BucketKey bucket, DisabledBucket disabled) {
    counters.disabled.increment();
    if (heard) {
      pass(new Decision(Decision.Outcome.DISABLED, bucket, null, List.of(), disabled, null));
    }
  }

  /** The store could not answer; the caller gets what {@code policy} says. */
  public void unavailable(BucketKey bucket, StoreFailure failure, OnUnavailable policy) {
    boolean blocked = policy == OnUnavailable.BLOCK;
    (blocked ? counters.blocked : counters.degraded).increment();
    log.unavailable(bucket, failure, policy);
    if (heard) {
      Decision.Outcome outcome = blocked ? Decision.Outcome.BLOCKED : Decision.Outcome.DEGRADED;
      pass(new Decision(outcome, bucket, null, List.of(), null, failure.kind().name()));
    }
  }

  /** {@code legs} buckets were charged for a request that another one refused. */
  public void givenBack(BucketKey bucket, int legs) {
    counters.givenBack.add(legs);
    notice(Notice.Kind.GIVEN_BACK, bucket, legs, "charged in part, and given back");
  }

  /** A bucket follows later versions of records than this process knew. */
  public void outdated(BucketKey bucket) {
    counters.outdated.increment();
    notice(Notice.Kind.OUTDATED, bucket, 1, "follows a later configuration");
  }

  /**
   * What is stored about a bucket is older than what the bucket follows, although all of it was
   * just looked up.
   */
  public void configSetBack(BucketKey bucket, RecordVersions followed, RecordVersions stored) {
    counters.configsSetBack.increment();
    log.configSetBack(bucket, followed, stored);
    notice(Notice.Kind.CONFIG_SET_BACK, bucket, 1, "what is stored is older than what it follows");
  }

  public void lookedUp(int records) {
    counters.lookUps.increment();
    notice(Notice.Kind.LOOK_UP, null, records, "stored configuration was looked up");
  }

  public void lookUpsFull(BucketKey bucket) {
    counters.lookUpsFull.increment();
    notice(Notice.Kind.LOOK_UPS_FULL, bucket, 1, "too many look-ups are under way");
  }

  public void legThreadsBusy() {
    counters.legThreadsBusy.increment();
    notice(Notice.Kind.LEG_THREADS_BUSY, null, 1, "all threads for further buckets are busy");
  }

  public void backgroundThreadsBusy() {
    counters.backgroundThreadsBusy.increment();
    notice(Notice.Kind.BACKGROUND_THREADS_BUSY, null, 1, "all background threads are busy");
  }

  /** A call has no writes left: one was not sent. */
  public void writesSpent() {
    counters.writeBudgetsSpent.increment();
    notice(Notice.Kind.WRITE_BUDGET_SPENT, null, 1, "a call has made all the writes that it may");
  }

  public void waitLineFull(BucketKey bucket) {
    counters.waitLinesFull.increment();
    notice(Notice.Kind.WAIT_LINE_FULL, bucket, 1, "too many callers wait");
  }

  public void queueFull(BucketKey bucket) {
    counters.queuesFull.increment();
    notice(Notice.Kind.QUEUE_FULL, bucket, 1, "too many requests queue");
  }

  /** Requests begin one conversation with the store, on this thread. */
  public void group(BucketKey bucket, int requests) {
    if (heard) {
      pass(new LimiterEvent.WriteGroup(bucket, requests));
    }
  }

  /** What happened on the way to the end of a conversation. */
  public void traced(BucketKey bucket, CommitResult.Trace trace) {
    if (trace.lostLocks() > 0) {
      counters.lostLocks.add(trace.lostLocks());
      notice(Notice.Kind.LOST_LOCK, bucket, trace.lostLocks(), "another writer was faster");
    }
    if (trace.unknownOutcomes() > 0) {
      counters.unknownOutcomes.add(trace.unknownOutcomes());
      int count = trace.unknownOutcomes();
      notice(Notice.Kind.UNKNOWN_OUTCOME, bucket, count, "the answer of a write was lost");
    }
    if (trace.created()) {
      counters.created.increment();
      transition(Change.CREATED, bucket, 0);
    }
    if (trace.reparameterised()) {
      counters.reparameterised.increment();
      transition(Change.REPARAMETERISED, bucket, 0);
    }
    if (trace.healedAheadMs() > 0) {
      counters.healedRefills.increment();
      log.refillHealed(bucket, trace.healedAheadMs());
      notice(
          Notice.Kind.REFILL_HEALED,
          bucket,
          trace.healedAheadMs(),
          "a refill timestamp was ahead and is set to now");
    }
  }

  /** A bucket was found to be divided into {@code shards} shards, or to be about to. */
  public void divisionSeen(BucketKey bucket, int shards) {
    counters.mostShards.accumulate(shards);
    transition(Change.DIVISION_SEEN, bucket, shards);
  }

  public void resized(BucketKey bucket, int shards) {
    counters.resized.increment();
    transition(Change.RESIZED, bucket, shards);
  }

  public void split(BucketKey bucket) {
    counters.splits.increment();
    transition(Change.SPLIT, bucket, 0);
  }

  public void merged(BucketKey bucket) {
    counters.merges.increment();
    transition(Change.MERGED, bucket, 0);
  }

  public void divisionPostponed(BucketKey bucket) {
    counters.divisionsPostponed.increment();
    notice(Notice.Kind.DIVISION_POSTPONED, bucket, 1, "enough was divided this second");
  }

  /** A request was taken from {@code shards} shards in one transaction. */
  public void takenFromShards(BucketKey bucket, int shards) {
    counters.wide.increment();
    notice(Notice.Kind.TAKEN_FROM_SHARDS, bucket, shards, "taken from several shards at once");
  }

  /** A request was refused although all shards of a bucket together hold what it wants. */
  public void leftElsewhere(BucketKey bucket) {
    counters.leftElsewhere.increment();
    notice(Notice.Kind.LEFT_ELSEWHERE, bucket, 1, "other shards hold what was refused");
  }

  /** A lease was settled with a write. */
  public void settled(BucketKey bucket, Amounts amounts) {
    counters.settled.increment();
    if (heard) {
      pass(new SettlementProgress(State.WRITTEN, bucket, amounts, null));
    }
  }

  /** A settlement was not written, or perhaps was: its caller learns it, or it was given up. */
  public void settleFailed(BucketKey bucket, Amounts amounts, StoreFailure failure) {
    counters.settleFailures.increment();
    log.settleFailed(bucket, amounts, failure);
    if (heard) {
      pass(new SettlementProgress(State.FAILED, bucket, amounts, failure.kind().name()));
    }
  }

  /** A write of a settlement failed or takes too long: the limiter writes the amounts later. */
  public void settlementPostponed(BucketKey bucket, Amounts amounts, StoreFailure failure) {
    counters.settlementsPostponed.increment();
    log.settlementPostponed(bucket, amounts, failure);
    if (heard) {
      pass(new SettlementProgress(State.POSTPONED, bucket, amounts, failure.kind().name()));
    }
  }

  /** A settlement that the limiter had kept, or for which no caller waits, will not be written. */
  public void settlementGivenUp(BucketKey bucket, Amounts amounts, StoreFailure failure) {
    counters.settlementsGivenUp.increment();
    if (heard) {
      pass(new SettlementProgress(State.GIVEN_UP, bucket, amounts, failure.kind().name()));
    }
    settleFailed(bucket, amounts, failure);
  }

  /** {@code change} more buckets have settlements that wait for a write, fewer when negative. */
  public void settlementsPending(BucketKey bucket, int change) {
    counters.settlementsPending.add(change);
    notice(Notice.Kind.SETTLEMENTS_PENDING, bucket, change, "settlements wait for a write");
  }

  /** The limiter was closed, and not everything was written in time. */
  public void closedIncomplete(CloseReport report) {
    log.closedIncomplete(report);
    notice(
        Notice.Kind.CLOSED_INCOMPLETE,
        null,
        report.unwritten().size(),
        "the limiter was closed and could not write everything");
  }

  /** The clock was off and is corrected by {@code offsetMs} from now on. */
  public void clockCorrected(long offsetMs) {
    counters.clockCorrections.increment();
    log.clockCorrected(offsetMs);
    notice(Notice.Kind.CLOCK_CORRECTED, null, offsetMs, "the clock differs from the store's");
  }

  /** The store could not be reached several times in a row, at last because of {@code failure}. */
  public void storeAway(StoreFailure failure) {
    counters.storeAway.increment();
    counters.storeAbsences.increment();
    log.storeAway(failure);
    if (heard) {
      pass(new StoreAvailability(/* available= */ false, Duration.ZERO, failure.kind().name()));
    }
  }

  /** The store answers again, {@code awayMs} after it was found to be away. */
  public void storeBack(long awayMs) {
    counters.storeAway.decrement();
    log.storeBack(awayMs);
    if (heard) {
      pass(new StoreAvailability(/* available= */ true, Duration.ofMillis(awayMs), null));
    }
  }

  /** One round trip to the store. */
  public void roundTrip(StoreCall call, StoreReply reply, long elapsedNanos) {
    (call.writes() ? counters.storeWrites : counters.storeReads).increment();
    if (reply instanceof StoreReply.NotApplied notApplied) {
      StoreFailure.Kind kind = notApplied.failure().kind();
      if (kind == StoreFailure.Kind.THROTTLED) {
        counters.throttled.increment();
      } else if (kind == StoreFailure.Kind.HOT_KEY) {
        counters.hotKeys.increment();
      }
    }
    Receipt receipt = reply.receipt();
    counters.readUnits.add(receipt.readUnits());
    counters.writeUnits.add(receipt.writeUnits());
    counters.indexWriteUnits.add(receipt.indexWriteUnits());
    if (heard) {
      pass(
          new RoundTrip(
              call.operation(),
              reply.result(),
              buckets(call),
              receipt.readUnits(),
              receipt.writeUnits(),
              receipt.indexWriteUnits(),
              Duration.ofNanos(elapsedNanos)));
    }
  }

  private static List<BucketKey> buckets(StoreCall call) {
    if (call instanceof StoreCall.Write write) {
      return List.of(write.key());
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return transaction.plans().stream().map(WritePlan::key).toList();
    }
    if (call instanceof StoreCall.Read read) {
      return List.of(read.key());
    }
    return call instanceof StoreCall.ReadAll all ? all.keys() : List.of();
  }

  private void transition(Change change, BucketKey bucket, int shards) {
    if (heard) {
      pass(new LimiterEvent.BucketTransition(change, bucket, shards));
    }
  }

  private void notice(Notice.Kind kind, @Nullable BucketKey bucket, long amount, String text) {
    if (heard) {
      pass(new Notice(kind, bucket, amount, text, null));
    }
  }

  private void pass(LimiterEvent event) {
    for (int i = 0; i < listeners.size(); i++) {
      try {
        listeners.get(i).onEvent(event);
      } catch (Throwable thrown) { // also what Kotlin or Groovy throw unchecked
        failed(thrown);
      }
    }
  }

  /** Counts a failure, and logs the first one: a broken listener fails with every request. */
  private void failed(Throwable thrown) {
    counters.listenerFailures.increment();
    Notice failure =
        new Notice(Notice.Kind.LISTENER_FAILED, null, 1, "a limiter listener failed", thrown);
    for (int i = 0; i < listeners.size(); i++) {
      try {
        listeners.get(i).onEvent(failure);
      } catch (Throwable again) {
        // It fails for notices of failures too. It may even be the same throwable once more, so it
        // is not noted in that one.
      }
    }
    if (failureLogged.compareAndSet(false, true)) {
      TroubleLog.warn(
          "a limiter listener failed; further failures are only counted (listenerFailures)",
          thrown);
    }
  }
}
