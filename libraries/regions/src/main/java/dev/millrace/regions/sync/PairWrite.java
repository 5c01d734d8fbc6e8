package dev.millrace.regions.sync;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.Terms;
import dev.millrace.core.directory.ConfigRecord;
import dev.millrace.core.directory.RecordChange;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.Pricing;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.resolution.Levels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The one transaction by which a pair takes its step: its ledgers, its limits, and every shard. */
final class PairWrite {
  /** A write in a transaction costs two. */
  private static final int UNITS = 2;

  private final Table table;
  private final PlanSettings plan;

  PairWrite(Table table, PlanSettings plan) {
    this.table = table;
    this.plan = plan;
  }

  /**
   * Whether it could be made: nothing has changed since it was read.
   *
   * @param storedVersion of the record of the pair, {@link RecordChange.Put#ABSENT} for none
   */
  boolean make(PairState state, Levels levels, long storedVersion) {
    ConfigRecord ofEntity = levels.entityDefault();
    ConfigRecord after = state.next(ofEntity == null ? 0 : ofEntity.versionFloor());
    Terms terms =
        new Levels(
                levels.entity(), after, levels.entityDefault(), levels.resource(), levels.system())
            .resolve()
            .terms(null);
    if (terms == null) {
      throw new IllegalStateException("no limits for " + state.pair());
    }
    for (BucketState shard : state.shards()) {
      if (!terms.stamp().isAtLeast(shard.stamp())) {
        return false; // another record was changed, and the bucket told, since they were looked up
      }
    }
    return table.transact(plans(state, terms), List.of(new RecordChange.Put(after, storedVersion)))
        == null;
  }

  private List<WritePlan> plans(PairState state, Terms terms) {
    if (state.shards().isEmpty()) {
      // Were it left to whoever comes first, one with an old copy could make it with the old share.
      BucketState first = first(state, terms);
      Projection projection = Projection.of(first, terms, state.nowMs(), plan.maxSkewMs());
      WritePlan create = Planner.create(projection, table.nextId());
      return List.of(Pricing.priced(create, null, UNITS, plan.writeUnits()));
    }
    List<Map<String, Long>> moves = moves(state);
    List<WritePlan> plans = new ArrayList<>(moves.size());
    for (int i = 0; i < moves.size(); i++) {
      BucketState shard = state.shards().get(i);
      WritePlan write =
          Planner.reshare(shard, terms, moves.get(i), state.nowMs(), plan, table.nextId());
      plans.add(Pricing.priced(write, shard, UNITS, plan.writeUnits()));
    }
    return plans;
  }

  /**
   * A bucket that is not there is full: of the share that the region had. Of a share that comes
   * along it has the tokens that came with it and no more; its giver may have spent them.
   */
  private static BucketState first(PairState state, Terms terms) {
    BucketState full = BucketState.full(state.pair().bucket(), terms, state.nowMs());
    List<LimitState> limits = new ArrayList<>(full.limits().size());
    for (LimitState limit : full.limits()) {
      long milli = limit.tokensMilli();
      for (Holding holding : state.holdings()) {
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

  /** What comes to each shard, or goes, by the name of the limit. */
  private static List<Map<String, Long>> moves(PairState state) {
    List<Map<String, Long>> moves = new ArrayList<>(state.shards().size());
    state.shards().forEach(shard -> moves.add(new HashMap<>()));
    for (Holding holding : state.holdings()) {
      long[] parts =
          Gifts.divide(holding.step().tokensMilli(), state.shards(), holding.name(), state.nowMs());
      for (int i = 0; i < parts.length; i++) {
        moves.get(i).put(holding.name(), parts[i]);
      }
    }
    return moves;
  }
}
