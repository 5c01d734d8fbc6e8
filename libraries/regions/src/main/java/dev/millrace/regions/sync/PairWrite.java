package dev.millrace.regions.sync;

import dev.millrace.core.internal.resolution.ConfigRecords;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.RegionShareWrites;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The transaction by which a pair takes its step: its ledgers, its limits, and every shard. */
final class PairWrite {
  /** Units of a write in a transaction. */
  private static final int UNITS = 2;

  private final RegionTable table;
  private final PlanSettings plan;

  PairWrite(RegionTable table, PlanSettings plan) {
    this.table = table;
    this.plan = plan;
  }

  /**
   * Returns whether it was committed: nothing has changed since it was read.
   *
   * @param storedVersion of the record of the pair, {@link RecordChange.Put#ABSENT} for none
   */
  boolean make(PairState state, ConfigRecords levels, long storedVersion) {
    ConfigRecord ofEntity = levels.entityDefault();
    ConfigRecord after = state.next(ofEntity == null ? 0 : ofEntity.versionFloor());
    EffectiveLimits terms =
        new ConfigRecords(
                levels.entity(), after, levels.entityDefault(), levels.resource(), levels.system())
            .resolve()
            .terms(null);
    if (terms == null) {
      throw new IllegalStateException("no limits for " + state.pair());
    }
    for (BucketState shard : state.shards()) {
      if (!terms.stamp().isAtLeast(shard.stamp())) {
        return false; // another record and the bucket changed since they were looked up
      }
    }
    return table.transact(plans(state, terms), List.of(new RecordChange.Put(after, storedVersion)))
        == null;
  }

  private List<WritePlan> plans(PairState state, EffectiveLimits terms) {
    if (state.shards().isEmpty()) {
      // If the next request created it instead, a process with an old copy could do so with the old
      // share.
      BucketState first = first(state, terms);
      BucketView projection = BucketView.of(first, terms, state.nowMs(), plan.maxSkewMs());
      WritePlan create = WritePlanner.create(projection, table.nextId());
      return List.of(create.priced(null, UNITS, plan.writeUnits()));
    }
    List<Map<String, Long>> moves = moves(state);
    List<WritePlan> plans = new ArrayList<>(moves.size());
    for (int i = 0; i < moves.size(); i++) {
      BucketState shard = state.shards().get(i);
      WritePlan write =
          RegionShareWrites.reshare(
              shard, terms, moves.get(i), state.nowMs(), plan, table.nextId());
      plans.add(write.priced(shard, UNITS, plan.writeUnits()));
    }
    return plans;
  }

  /**
   * A missing bucket is full at the share that the region had. Of a received share it has the
   * accompanying tokens and no more; the giver may have spent the others.
   */
  private static BucketState first(PairState state, EffectiveLimits terms) {
    BucketState full = BucketState.full(state.pair().bucket(), terms, state.nowMs());
    List<LimitState> limits = new ArrayList<>(full.limits().size());
    for (LimitState limit : full.limits()) {
      long milli = limit.tokensMilli();
      for (HeldLimit holding : state.holdings()) {
        if (holding.name().equals(limit.name()) && holding.changes()) {
          milli = Math.min(milli, holding.movedMilli());
        }
      }
      limits.add(new LimitState(limit.limit(), milli, limit.consumedMilli()));
    }
    return new BucketState(
        full.key(),
        full.refilledAtMs(),
        limits,
        full.division(),
        full.wcuMilli(),
        full.expiresAtSeconds(),
        full.op(),
        full.stamp());
  }

  /** The change of each shard, by the name of the limit. */
  private static List<Map<String, Long>> moves(PairState state) {
    List<Map<String, Long>> moves = new ArrayList<>(state.shards().size());
    state.shards().forEach(shard -> moves.add(new HashMap<>()));
    for (HeldLimit holding : state.holdings()) {
      long[] parts =
          TokenDivision.divide(
              holding.step().tokensMilli(), state.shards(), holding.name(), state.nowMs());
      for (int i = 0; i < parts.length; i++) {
        moves.get(i).put(holding.name(), parts[i]);
      }
    }
    return moves;
  }
}
