package dev.millrace.core.internal.protocol;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.ShardTree;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.ShardWrites;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol by which the division of a bucket changes: {@link #changeCount} says how many shards
 * there should be, and a reshaping brings the shards there.
 *
 * <p>It finds the shard that holds what another would hold, and brings it one step closer to how
 * many there should be: one that is behind is split, one that is ahead is merged, each in one
 * transaction. Shards that are further away take several such steps, by whoever comes next.
 *
 * <p>It may fail or stop at any point: the shards that are there hold the whole bucket before it
 * and after it, and the one that was found can be drawn on either way.
 */
public final class SplitMergeProtocol {
  /** Most transactions of one reshaping; each but the last lost to somebody who was faster. */
  public static final int MAX_ATTEMPTS = 8;

  /**
   * Most times that one transaction is sent again because others write the same shards, or more
   * than the store bears: about as long as it takes those who split them too to see that and pause.
   */
  public static final int MAX_RESENDS = 16;

  /** Most shards that are looked at to find the two that can be merged: the height of the tree. */
  private static final int MAX_DESCENTS = 16;

  private final BucketKey drawn;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /**
   * A reshaping that has not begun.
   *
   * @param drawn the shard that somebody wants to draw on, there or not
   */
  public SplitMergeProtocol(BucketKey drawn, PlanSettings settings, Supplier<String> ops) {
    this.drawn = drawn;
    this.settings = settings;
    this.ops = ops;
  }

  /** What it came to. */
  public enum Kind {
    /** Nothing had to be done. */
    NONE,
    /** A shard was split in two. */
    SPLIT,
    /** Two shards were merged. */
    MERGED,
    /** Something is to be done, and was not. */
    FAILED,
    /** There is no bucket. */
    ABSENT
  }

  /**
   * What it came to.
   *
   * @param count how many shards there should be, 0 when the store did not tell
   * @param holder the shard to draw on instead of the one that was drawn
   * @param seen shards as they were last seen
   * @param failure why nothing was done, null when nobody can tell or nothing was to be done
   */
  public record Result(
      Kind kind,
      int count,
      BucketKey holder,
      List<BucketState> seen,
      @Nullable StoreFailure failure) {
    /** Keeps the shards as they are now. */
    public Result {
      seen = List.copyOf(seen);
    }
  }

  /** Begins. */
  public Step<Result> start() {
    return look(/* attempts= */ 0);
  }

  private Step<Result> look(int attempts) {
    List<BucketKey> keys = new ArrayList<>();
    ShardTree.path(drawn.shard()).forEach(shard -> keys.add(drawn.withShard(shard)));
    return Step.Ask.one(
        new StoreCall.ReadAll(keys),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.FoundAll found)) {
            return new Step.Done<>(
                new Result(
                    Kind.FAILED,
                    0,
                    drawn.withShard(0),
                    List.of(),
                    CommitProtocol.failureOf(reply)));
          }
          Map<Integer, BucketState> shards = new HashMap<>();
          found.states().forEach((key, state) -> shards.put(key.shard(), state));
          return decide(new Shards(shards), attempts, nowMs);
        });
  }

  private Step<Result> decide(Shards shards, int attempts, long nowMs) {
    BucketState first = shards.states.get(0);
    if (first == null) {
      return new Step.Done<>(new Result(Kind.ABSENT, 0, drawn.withShard(0), List.of(), null));
    }
    int level = shards.holder().division().level();
    if (level == shards.count() || attempts == MAX_ATTEMPTS) {
      return done(level == shards.count() ? Kind.NONE : Kind.FAILED, shards, null);
    }
    return level < shards.count()
        ? split(shards, shards.holder(), attempts)
        : descend(shards, shards.holder(), attempts, /* descents= */ 0, nowMs);
  }

  private Step<Result> split(Shards shards, BucketState parent, int attempts) {
    List<WritePlan> writes = ShardWrites.split(parent, shards.count(), settings.writeUnits(), ops);
    return send(Kind.SPLIT, writes, shards, attempts, /* resends= */ 0);
  }

  /** Two shards can be merged when neither has split further than the other. */
  private Step<Result> descend(
      Shards shards, BucketState parent, int attempts, int descents, long nowMs) {
    BucketKey childKey = ShardWrites.lastChildOf(parent);
    BucketState known = shards.states.get(childKey.shard());
    if (known != null) {
      return merge(shards, parent, known, attempts, descents, nowMs);
    }
    return Step.Ask.one(
        new StoreCall.Read(childKey),
        (reply, laterMs) -> {
          if (reply instanceof StoreReply.Found found && found.state() != null) {
            return merge(
                shards.with(found.state()), parent, found.state(), attempts, descents, laterMs);
          }
          StoreFailure failure =
              reply instanceof StoreReply.Found ? null : CommitProtocol.failureOf(reply);
          return failure == null && attempts + 1 < MAX_ATTEMPTS
              ? look(attempts + 1) // somebody was faster
              : done(Kind.FAILED, shards, failure);
        });
  }

  private Step<Result> merge(
      Shards shards,
      BucketState parent,
      BucketState child,
      int attempts,
      int descents,
      long nowMs) {
    int level = child.division().level();
    if (level > parent.division().level() && descents < MAX_DESCENTS) {
      return descend(shards, child, attempts, descents + 1, nowMs);
    }
    List<WritePlan> writes =
        level == parent.division().level()
            ? ShardWrites.merge(parent, child, nowMs, settings, ops)
            : null;
    return writes == null
        ? done(Kind.FAILED, shards, null)
        : send(Kind.MERGED, writes, shards, attempts, /* resends= */ 0);
  }

  private Step<Result> send(
      Kind kind, List<WritePlan> writes, Shards shards, int attempts, int resends) {
    return Step.Ask.one(
        new StoreCall.Transaction(writes, List.of(), ops.get()),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Committed) {
            return done(kind, shards.after(writes), null);
          }
          if (reply instanceof StoreReply.Cancelled) {
            return look(attempts + 1);
          }
          if (isInTheWay(reply) && resends < MAX_RESENDS) {
            return send(kind, writes, shards, attempts, resends + 1);
          }
          StoreFailure failure = CommitProtocol.failureOf(reply);
          return reply instanceof StoreReply.Unknown
              ? done(Kind.FAILED, shards.without(writes), failure)
              : done(Kind.FAILED, shards, failure);
        });
  }

  private static boolean isInTheWay(StoreReply reply) {
    return reply instanceof StoreReply.NotApplied notApplied && notApplied.failure().isInTheWay();
  }

  private Step<Result> done(Kind kind, Shards shards, @Nullable StoreFailure failure) {
    return new Step.Done<>(
        new Result(
            kind,
            shards.count(),
            drawn.withShard(shards.holderShard()),
            List.copyOf(shards.states.values()),
            failure));
  }

  /**
   * What a change of the count came to.
   *
   * @param changed whether it was this one that changed it
   * @param state shard 0 as it was last seen, null when there is none or the store did not tell
   * @param failure null unless the store failed
   */
  public record CountChange(
      boolean changed, @Nullable BucketState state, @Nullable StoreFailure failure) {}

  /**
   * Changes how many shards there should be, by one step, if there still should be as many as was
   * believed. Of many who want the same at once one gets it; the others learn of it. When the
   * answer is lost nobody need know: the next look at shard 0 tells.
   *
   * <p>It looks before it writes. Those who want more shards are being throttled, so their writes
   * tell them nothing, and most of them want what somebody else has done already.
   *
   * @param key any shard of the bucket
   */
  public static Step<CountChange> changeCount(
      BucketKey key, int believed, int count, Supplier<String> ops) {
    return Step.Ask.one(
        new StoreCall.Read(key.withShard(0)),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            return new Step.Done<>(new CountChange(false, null, CommitProtocol.failureOf(reply)));
          }
          BucketState state = found.state();
          return state == null || state.shardCount() != believed
              ? new Step.Done<>(new CountChange(false, state, null))
              : writeCount(state.key(), believed, count, ops);
        });
  }

  private static Step<CountChange> writeCount(
      BucketKey first, int believed, int count, Supplier<String> ops) {
    WritePlan plan =
        new WritePlan.Resize(first, believed, count, WriteUnits.costMilli(1), ops.get());
    return Step.Ask.one(
        new StoreCall.Write(plan),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            return new Step.Done<>(new CountChange(true, applied.state(), null));
          }
          if (reply instanceof StoreReply.Refused refused) {
            return new Step.Done<>(new CountChange(false, refused.state(), null));
          }
          return new Step.Done<>(new CountChange(false, null, CommitProtocol.failureOf(reply)));
        });
  }

  /** What is known of the shards. */
  private final class Shards {
    private final Map<Integer, BucketState> states;

    Shards(Map<Integer, BucketState> states) {
      this.states = states;
    }

    int count() {
      BucketState first = states.get(0);
      return first == null ? 0 : first.shardCount();
    }

    int holderShard() {
      return count() == 0
          ? 0
          : ShardTree.holder(drawn.shard() & (count() - 1), shard -> level(states.get(shard)));
    }

    private int level(@Nullable BucketState state) {
      return state == null ? 0 : state.division().level();
    }

    BucketState holder() {
      BucketState holder = states.get(holderShard());
      if (holder == null) {
        throw new IllegalStateException("no shard of " + drawn + " is known");
      }
      return holder;
    }

    Shards with(BucketState state) {
      Map<Integer, BucketState> more = new HashMap<>(states);
      more.put(state.key().shard(), state);
      return new Shards(more);
    }

    /** After writes that were made. */
    Shards after(List<WritePlan> writes) {
      Map<Integer, BucketState> after = new HashMap<>(states);
      for (WritePlan write : writes) {
        int shard = write.key().shard();
        BucketState state = PlanEffect.apply(states.get(shard), write);
        if (state == null) {
          after.remove(shard);
        } else {
          after.put(shard, state);
        }
      }
      return new Shards(after);
    }

    /** After writes of which nobody knows whether they were made. */
    Shards without(List<WritePlan> writes) {
      Map<Integer, BucketState> sure = new HashMap<>(states);
      writes.forEach(write -> sure.remove(write.key().shard()));
      return new Shards(sure);
    }
  }
}
