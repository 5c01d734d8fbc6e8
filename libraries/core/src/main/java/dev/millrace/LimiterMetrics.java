package dev.millrace;

import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a limiter did since it was created. */
public final class LimiterMetrics implements LimiterListener {
  private final LongAdder admitted = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder blocked = new LongAdder();
  private final LongAdder degraded = new LongAdder();
  private final LongAdder unknownOutcomes = new LongAdder();
  private final LongAdder lostLocks = new LongAdder();
  private final LongAdder created = new LongAdder();
  private final LongAdder reparameterised = new LongAdder();
  private final LongAdder healedRefills = new LongAdder();
  private final LongAdder clockCorrections = new LongAdder();
  private final LongAdder settled = new LongAdder();
  private final LongAdder settleFailures = new LongAdder();
  private final LongAdder settlementsPostponed = new LongAdder();
  private final LongAdder settlementsGivenUp = new LongAdder();
  private final LongAdder settlementsPending = new LongAdder();
  private final LongAdder backgroundThreadsBusy = new LongAdder();
  private final LongAdder waitLinesFull = new LongAdder();
  private final LongAdder queuesFull = new LongAdder();
  private final LongAdder disabled = new LongAdder();
  private final LongAdder overdrawn = new LongAdder();
  private final LongAdder givenBack = new LongAdder();
  private final LongAdder outdated = new LongAdder();
  private final LongAdder lookUps = new LongAdder();
  private final LongAdder lookUpsFull = new LongAdder();
  private final LongAdder configsSetBack = new LongAdder();
  private final LongAdder legThreadsBusy = new LongAdder();
  private final LongAdder resized = new LongAdder();
  private final LongAdder splits = new LongAdder();
  private final LongAdder divisionsPostponed = new LongAdder();
  private final LongAdder merges = new LongAdder();
  private final LongAdder wide = new LongAdder();
  private final LongAdder leftElsewhere = new LongAdder();
  private final LongAdder listenerFailures = new LongAdder();
  private final LongAdder storeAbsences = new LongAdder();
  private final LongAdder storeAway = new LongAdder();
  private final LongAccumulator mostShards = new LongAccumulator(Math::max, 1);
  private final LongAdder throttled = new LongAdder();
  private final LongAdder hotKeys = new LongAdder();
  private final LongAdder storeReads = new LongAdder();
  private final LongAdder storeWrites = new LongAdder();
  private final DoubleAdder readUnits = new DoubleAdder();
  private final DoubleAdder writeUnits = new DoubleAdder();
  private final DoubleAdder indexWriteUnits = new DoubleAdder();

  /**
   * The counts at one moment.
   *
   * @param admitted requests that were admitted and charged
   * @param refused requests that a limit refused
   * @param blocked requests that failed because the store was away
   * @param degraded requests that were admitted without a charge because the store was away
   * @param unknownOutcomes writes whose answer was lost
   * @param lostLocks writes refused because somebody else had changed the bucket
   * @param created buckets created
   * @param reparameterised buckets whose limits were changed to those of a request
   * @param healedRefills refill timestamps too far ahead that were set to now
   * @param clockCorrections changes of the clock's correction
   * @param settled leases settled with a write
   * @param settleFailures settlements that failed: their callers were told, or they were given up
   * @param waitLinesFull callers sent away because too many were waiting
   * @param queuesFull requests sent away because too many were queued for their bucket
   * @param disabled requests refused because something was switched off
   * @param overdrawn requests admitted although soft limits were short
   * @param givenBack legs that were charged and given back because another refused
   * @param outdated times that a bucket followed later versions of records than were known
   * @param lookUps look-ups of stored configuration
   * @param legThreadsBusy times that no thread for a further bucket was free
   * @param resized times that this process changed how many shards a bucket should have
   * @param splits shards that this process split in two
   * @param divisionsPostponed doublings and splits left to later because of the bound per second
   * @param merges shards that this process merged into another
   * @param wide requests taken from several shards at once
   * @param leftElsewhere requests refused although all shards together held enough
   * @param mostShards most shards that a bucket was found to have, 1 for none
   * @param throttled calls that the store turned away because of the table as a whole, or for a
   *     reason it did not tell
   * @param hotKeys calls that the store turned away because one key was used too hard
   * @param storeReads reads of the store
   * @param storeWrites writes of the store, applied or not
   * @param readUnits read units spent
   * @param writeUnits write units of the table spent
   * @param indexWriteUnits write units of its indexes spent
   * @param listenerFailures times that a listener threw
   * @param storeAbsences times that the store was found to be away
   * @param storeAway limiters that find the store away at this moment, so that their calls fail at
   *     once: 1 or 0 of a limiter's own
   * @param lookUpsFull look-ups that were not begun because too many were under way
   * @param configsSetBack requests refused because what is stored is older than what a bucket
   *     follows
   * @param settlementsPostponed times that a write of a settlement failed and the limiter kept it
   * @param settlementsGivenUp settlements that the limiter had kept, or for which no caller waited,
   *     and that will not be written
   * @param settlementsPending buckets whose settlements wait for a write at this moment
   * @param backgroundThreadsBusy times that no thread was free for work for which no caller waits
   */
  public record Snapshot(
      long admitted,
      long refused,
      long blocked,
      long degraded,
      long unknownOutcomes,
      long lostLocks,
      long created,
      long reparameterised,
      long healedRefills,
      long clockCorrections,
      long settled,
      long settleFailures,
      long waitLinesFull,
      long queuesFull,
      long disabled,
      long overdrawn,
      long givenBack,
      long outdated,
      long lookUps,
      long legThreadsBusy,
      long resized,
      long splits,
      long divisionsPostponed,
      long merges,
      long wide,
      long leftElsewhere,
      long mostShards,
      long throttled,
      long hotKeys,
      long storeReads,
      long storeWrites,
      double readUnits,
      double writeUnits,
      double indexWriteUnits,
      long listenerFailures,
      long storeAbsences,
      long storeAway,
      long lookUpsFull,
      long configsSetBack,
      long settlementsPostponed,
      long settlementsGivenUp,
      long settlementsPending,
      long backgroundThreadsBusy) {}

  /** The counts now. */
  public Snapshot snapshot() {
    return new Snapshot(
        admitted.sum(),
        refused.sum(),
        blocked.sum(),
        degraded.sum(),
        unknownOutcomes.sum(),
        lostLocks.sum(),
        created.sum(),
        reparameterised.sum(),
        healedRefills.sum(),
        clockCorrections.sum(),
        settled.sum(),
        settleFailures.sum(),
        waitLinesFull.sum(),
        queuesFull.sum(),
        disabled.sum(),
        overdrawn.sum(),
        givenBack.sum(),
        outdated.sum(),
        lookUps.sum(),
        legThreadsBusy.sum(),
        resized.sum(),
        splits.sum(),
        divisionsPostponed.sum(),
        merges.sum(),
        wide.sum(),
        leftElsewhere.sum(),
        mostShards.get(),
        throttled.sum(),
        hotKeys.sum(),
        storeReads.sum(),
        storeWrites.sum(),
        readUnits.sum(),
        writeUnits.sum(),
        indexWriteUnits.sum(),
        listenerFailures.sum(),
        storeAbsences.sum(),
        storeAway.sum(),
        lookUpsFull.sum(),
        configsSetBack.sum(),
        settlementsPostponed.sum(),
        settlementsGivenUp.sum(),
        settlementsPending.sum(),
        backgroundThreadsBusy.sum());
  }

  @Override
  public void onAdmitted(BucketKey key, Amounts amounts) {
    admitted.increment();
  }

  @Override
  public void onRefused(BucketKey key, Rejection rejection) {
    refused.increment();
  }

  @Override
  public void onUnavailable(BucketKey key, StoreFailure failure, OnUnavailable policy) {
    (policy == OnUnavailable.BLOCK ? blocked : degraded).increment();
  }

  @Override
  public void onUnknownOutcome(BucketKey key, int count) {
    unknownOutcomes.add(count);
  }

  @Override
  public void onLostLock(BucketKey key, int count) {
    lostLocks.add(count);
  }

  @Override
  public void onCreated(BucketKey key) {
    created.increment();
  }

  @Override
  public void onReparameterised(BucketKey key) {
    reparameterised.increment();
  }

  @Override
  public void onRefillHealed(BucketKey key, long aheadMs) {
    healedRefills.increment();
  }

  @Override
  public void onClockCorrected(long offsetMs) {
    clockCorrections.increment();
  }

  @Override
  public void onSettled(BucketKey key, Amounts amounts) {
    settled.increment();
  }

  @Override
  public void onSettleFailed(BucketKey key, Amounts amounts, StoreFailure failure) {
    settleFailures.increment();
  }

  @Override
  public void onSettlementPostponed(BucketKey key, Amounts amounts, StoreFailure failure) {
    settlementsPostponed.increment();
  }

  @Override
  public void onSettlementGivenUp(BucketKey key, Amounts amounts, StoreFailure failure) {
    settlementsGivenUp.increment();
  }

  @Override
  public void onSettlementsPending(int change) {
    settlementsPending.add(change);
  }

  @Override
  public void onBackgroundThreadsBusy() {
    backgroundThreadsBusy.increment();
  }

  @Override
  public void onWaitLineFull(BucketKey key) {
    waitLinesFull.increment();
  }

  @Override
  public void onQueueFull(BucketKey key) {
    queuesFull.increment();
  }

  @Override
  public void onDisabled(BucketKey key, DisabledBucket off) {
    disabled.increment();
  }

  @Override
  public void onOverdrawn(BucketKey key, List<LimitStatus> statuses) {
    overdrawn.increment();
  }

  @Override
  public void onGivenBack(BucketKey key, int legs) {
    givenBack.add(legs);
  }

  @Override
  public void onOutdated(BucketKey key) {
    outdated.increment();
  }

  @Override
  public void onLookUpsFull(BucketKey key) {
    lookUpsFull.increment();
  }

  @Override
  public void onConfigSetBack(BucketKey key, RecordVersions bucket, RecordVersions stored) {
    configsSetBack.increment();
  }

  @Override
  public void onLookUp(int records) {
    lookUps.increment();
  }

  @Override
  public void onLegThreadsBusy() {
    legThreadsBusy.increment();
  }

  @Override
  public void onResized(BucketKey key, int shards) {
    resized.increment();
  }

  @Override
  public void onShards(BucketKey key, int shards) {
    mostShards.accumulate(shards);
  }

  @Override
  public void onSplit(BucketKey key) {
    splits.increment();
  }

  @Override
  public void onDivisionPostponed(BucketKey key) {
    divisionsPostponed.increment();
  }

  @Override
  public void onMerged(BucketKey key) {
    merges.increment();
  }

  @Override
  public void onWide(BucketKey key, int shards) {
    wide.increment();
  }

  @Override
  public void onLeftElsewhere(BucketKey key) {
    leftElsewhere.increment();
  }

  @Override
  public void onStoreAway(StoreFailure failure) {
    storeAway.increment();
    storeAbsences.increment();
  }

  @Override
  public void onStoreBack(long awayMs) {
    storeAway.decrement();
  }

  @Override
  public void onListenerFailed(Throwable thrown) {
    listenerFailures.increment();
  }

  @Override
  public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
    (call.writes() ? storeWrites : storeReads).increment();
    if (reply instanceof StoreReply.NotApplied turnedAway) {
      StoreFailure.Kind kind = turnedAway.failure().kind();
      if (kind == StoreFailure.Kind.THROTTLED) {
        throttled.increment();
      } else if (kind == StoreFailure.Kind.HOT_KEY) {
        hotKeys.increment();
      }
    }
    readUnits.add(reply.receipt().readUnits());
    writeUnits.add(reply.receipt().writeUnits());
    indexWriteUnits.add(reply.receipt().indexWriteUnits());
  }
}
