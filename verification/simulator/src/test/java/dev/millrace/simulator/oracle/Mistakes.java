package dev.millrace.simulator.oracle;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What could be wrong with the writes of a limiter. */
enum Mistakes implements WatchedTable.Mistake {
  /** Each claim drops its fraction. */
  FLOORED_CLAIMS(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
      return with(
          plan,
          current,
          plan.refilledAtMs(),
          (change, limit) -> add(change, ownFloor(limit, plan) - earned(limit, plan)));
    }
  },

  /** What was earned is credited twice. */
  DOUBLE_CREDIT(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
      return with(
          plan, current, plan.refilledAtMs(), (change, limit) -> add(change, earned(limit, plan)));
    }
  },

  /** What was earned is credited and the time not claimed. */
  CREDIT_WITHOUT_CLAIM(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
      return with(plan, current, plan.expectedRefilledAtMs(), (change, limit) -> change);
    }
  },

  /** The timestamp is set to the writer's time, though it was ahead by an honest difference. */
  TIME_GOES_BACK(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
      return plan.refilledAtMs() == plan.expectedRefilledAtMs()
          ? with(plan, current, plan.refilledAtMs() - 1, (change, limit) -> change)
          : plan;
    }
  },

  /** The lock is not looked at, so a stretch of time is claimed by two. */
  NO_LOCK(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
      return new WritePlan.Locked(
          plan.key(),
          current.refilledAtMs(),
          Math.max(plan.refilledAtMs(), current.refilledAtMs()),
          plan.changes(),
          plan.parameters(),
          plan.expiresAtSeconds(),
          plan.op());
    }
  },

  /** Balances are not looked at. */
  NO_FLOOR(Promise.NEVER_NEGATIVE) {
    @Override
    LimitChange consumed(LimitChange change) {
      return new LimitChange(
          change.name(),
          change.addTokensMilli(),
          change.addConsumedMilli(),
          LimitChange.NO_FLOOR,
          change.maxTokensMilli());
    }
  },

  /** What refunds lifted above the ceiling is spent. */
  NO_CEILING(Promise.BOUNDED_BURST) {
    @Override
    LimitChange consumed(LimitChange change) {
      return new LimitChange(
          change.name(),
          change.addTokensMilli(),
          change.addConsumedMilli(),
          change.minTokensMilli(),
          LimitChange.NO_CEILING);
    }
  },

  /** Consumes beside time that nobody has claimed. */
  NO_FRESHNESS(Promise.BOUNDED_BURST) {
    @Override
    WritePlan.Consume consume(WritePlan.Consume plan) {
      return new WritePlan.Consume(
          plan.key(),
          Long.MIN_VALUE,
          plan.level(),
          plan.changes(),
          plan.addWcuMilli(),
          plan.expiresAtSeconds(),
          plan.op());
    }
  },

  /** A limit that is raised is filled at once. */
  FILLED_WHEN_RAISED(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
      return with(
          plan,
          current,
          plan.refilledAtMs(),
          (change, limit) ->
              plan.parameters().set().stream()
                  .filter(set -> set.name().equals(change.name()))
                  .findFirst()
                  .map(set -> add(change, raise(limit.limit(), set)))
                  .orElse(change));
    }
  },

  /** A new bucket starts full whatever it is made for. */
  CREATED_FULL(Promise.EXACT_REFILL) {
    @Override
    WritePlan.Create create(WritePlan.Create plan) {
      BucketState state = plan.state();
      return new WritePlan.Create(
          new BucketState(
              state.key(),
              state.refilledAtMs(),
              state.limits().stream()
                  .map(
                      it -> new LimitState(it.limit(), it.limit().burstMilli(), it.consumedMilli()))
                  .toList(),
              state.division(),
              state.wcuMilli(),
              state.expiresAtSeconds(),
              state.op(),
              state.stamp()));
    }
  },

  /** What is taken from the balance is not counted. */
  NOT_COUNTED(Promise.EXACT_REFILL) {
    @Override
    LimitChange consumed(LimitChange change) {
      return new LimitChange(
          change.name(),
          change.addTokensMilli(),
          0,
          change.minTokensMilli(),
          change.maxTokensMilli());
    }
  };

  private final Promise breaks;

  Mistakes(Promise breaks) {
    this.breaks = breaks;
  }

  Promise breaks() {
    return breaks;
  }

  @Override
  public WritePlan spoil(WritePlan plan, @Nullable BucketState current) {
    if (plan instanceof WritePlan.Create create) {
      return create(create);
    }
    if (current == null) {
      return plan;
    }
    if (plan instanceof WritePlan.Consume consume) {
      return consume(consume);
    }
    return plan instanceof WritePlan.Locked locked ? locked(locked, current) : plan;
  }

  WritePlan.Create create(WritePlan.Create plan) {
    return plan;
  }

  WritePlan.Consume consume(WritePlan.Consume plan) {
    return new WritePlan.Consume(
        plan.key(),
        plan.minRefilledAtMs(),
        plan.level(),
        plan.changes().stream().map(this::consumed).toList(),
        plan.addWcuMilli(),
        plan.expiresAtSeconds(),
        plan.op());
  }

  WritePlan.Locked locked(WritePlan.Locked plan, BucketState current) {
    return plan;
  }

  LimitChange consumed(LimitChange change) {
    return change;
  }

  /** The plan with another timestamp and its changes spoilt. */
  static WritePlan.Locked with(
      WritePlan.Locked plan,
      BucketState current,
      long refilledAtMs,
      BiFunction<LimitChange, LimitState, LimitChange> spoil) {
    List<LimitChange> changes = new ArrayList<>();
    for (LimitChange change : plan.changes()) {
      LimitState stored = current.find(change.name());
      changes.add(stored == null ? change : spoil.apply(change, stored));
    }
    return new WritePlan.Locked(
        plan.key(),
        plan.expectedRefilledAtMs(),
        plan.level(),
        refilledAtMs,
        changes,
        plan.parameters(),
        plan.addWcuMilli(),
        plan.expiresAtSeconds(),
        plan.op());
  }

  static LimitChange add(LimitChange change, long milli) {
    return new LimitChange(
        change.name(),
        change.addTokensMilli() + milli,
        change.addConsumedMilli(),
        change.minTokensMilli(),
        change.maxTokensMilli());
  }

  static long earned(LimitState limit, WritePlan.Locked plan) {
    return limit.creditMilli(
        ShardShare.of(plan.key().shard(), plan.level()),
        plan.expectedRefilledAtMs(),
        plan.refilledAtMs());
  }

  static long ownFloor(LimitState limit, WritePlan.Locked plan) {
    long elapsedMs = Math.max(0, plan.refilledAtMs() - plan.expectedRefilledAtMs());
    return elapsedMs * limit.limit().refill().amountMilli() / limit.limit().refill().periodMs();
  }

  static long raise(Limit from, Limit to) {
    return Math.max(0, to.burstMilli() - from.burstMilli());
  }
}
