package dev.millrace.client.internal.store;

import dev.millrace.LimiterMetrics;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one limiter. */
final class LimiterCounters {
  final LongAdder admitted = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder blocked = new LongAdder();
  final LongAdder degraded = new LongAdder();
  final LongAdder unknownOutcomes = new LongAdder();
  final LongAdder lostLocks = new LongAdder();
  final LongAdder created = new LongAdder();
  final LongAdder reparameterised = new LongAdder();
  final LongAdder healedRefills = new LongAdder();
  final LongAdder clockCorrections = new LongAdder();
  final LongAdder settled = new LongAdder();
  final LongAdder settleFailures = new LongAdder();
  final LongAdder waitLinesFull = new LongAdder();
  final LongAdder queuesFull = new LongAdder();
  final LongAdder disabled = new LongAdder();
  final LongAdder overdrawn = new LongAdder();
  final LongAdder givenBack = new LongAdder();
  final LongAdder outdated = new LongAdder();
  final LongAdder lookUps = new LongAdder();
  final LongAdder legThreadsBusy = new LongAdder();
  final LongAdder resized = new LongAdder();
  final LongAdder splits = new LongAdder();
  final LongAdder divisionsPostponed = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder wide = new LongAdder();
  final LongAdder leftElsewhere = new LongAdder();
  final LongAccumulator mostShards = new LongAccumulator(Math::max, 1);
  final LongAdder throttled = new LongAdder();
  final LongAdder hotKeys = new LongAdder();
  final LongAdder storeReads = new LongAdder();
  final LongAdder storeWrites = new LongAdder();
  final DoubleAdder readUnits = new DoubleAdder();
  final DoubleAdder writeUnits = new DoubleAdder();
  final DoubleAdder indexWriteUnits = new DoubleAdder();
  final LongAdder listenerFailures = new LongAdder();
  final LongAdder storeAbsences = new LongAdder();
  final LongAdder storeAway = new LongAdder();
  final LongAdder lookUpsFull = new LongAdder();
  final LongAdder configsSetBack = new LongAdder();
  final LongAdder settlementsPostponed = new LongAdder();
  final LongAdder settlementsGivenUp = new LongAdder();
  final LongAdder settlementsPending = new LongAdder();
  final LongAdder writeBudgetsSpent = new LongAdder();
  final LongAdder backgroundThreadsBusy = new LongAdder();

  /** The counts of all of them at one moment. */
  private record Snapshot(
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
      long writeBudgetsSpent,
      long backgroundThreadsBusy)
      implements LimiterMetrics {}

  LimiterMetrics snapshot() {
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
        writeBudgetsSpent.sum(),
        backgroundThreadsBusy.sum());
  }
}
