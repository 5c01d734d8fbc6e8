package dev.millrace.simulator.oracle;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permitted divisions of buckets (P6). The shards that there are hold every rest once, so
 * together they hold the whole bucket. A split moves a part of each balance and nothing else. A
 * merge claims the time of both up to the same instant, each for its own share, and adds balances
 * and totals up.
 */
final class ShardRules {
  private ShardRules() {}

  /** Checks what holds for a shard after any write: of several, none may be forgotten. */
  static void checkShard(Change change) {
    BucketState after = change.after;
    if (after.division().level() > 1 && after.expiresAtSeconds() != BucketState.NEVER) {
      throw broken(change, "a shard of several expires");
    }
    BucketState before = change.before;
    if (before == null || before.division().count() == after.division().count()) {
      return;
    }
    boolean first = after.key().shard() == 0;
    if (!first || change.moves() || !before.limits().equals(after.limits())) {
      throw broken(change, "the number of shards changes, and more or by the wrong one");
    }
  }

  /** Checks that a shard keeps its level, and is made or taken away by nobody alone. */
  static void checkAlone(TableWrite write) {
    BucketState before = write.before();
    BucketState after = write.after();
    if (before == null || after == null) {
      BucketState only = before == null ? after : before;
      boolean erased = write.source() == TableWrite.Source.ERASE;
      if (only != null && !erased && (only.key().shard() != 0 || only.division().level() != 1)) {
        throw broken(write, "a shard of several comes or goes by itself");
      }
    } else if (before.division().level() != after.division().level()) {
      throw broken(write, "a shard takes another level by itself");
    }
  }

  /** Checks that a shard gives another a part of what it has. */
  static void checkSplit(Change parent, @Nullable BucketState childBefore, BucketState child) {
    BucketState before = required(parent);
    BucketState after = parent.after;
    int level = before.division().level();
    if (childBefore != null
        || after.division().level() != 2 * level
        || child.division().level() != 2 * level
        || child.key().shard() != after.key().shard() + level) {
      throw broken(parent, "no shard is split like that, into " + child);
    }
    if (after.key().shard() == 0 && after.division().level() > after.division().count()) {
      throw broken(parent, "split into more shards than there should be");
    }
    if (parent.moves() || child.refilledAtMs() != after.refilledAtMs()) {
      throw broken(parent, "a split claims time, or leaves some: the child is " + child);
    }
    if (!after.stamp().equals(before.stamp())
        || !child.stamp().equals(before.stamp())
        || after.limits().size() != before.limits().size()
        || child.limits().size() != before.limits().size()) {
      throw broken(parent, "a split changes stamp or limits: the child is " + child);
    }
    for (int i = 0; i < before.limits().size(); i++) {
      LimitState old = before.limits().get(i);
      LimitState kept = same(parent, after, i, old);
      LimitState given = same(parent, child, i, old);
      if (kept.tokensMilli() + given.tokensMilli() != old.tokensMilli()
          || kept.consumedMilli() != old.consumedMilli()
          || given.consumedMilli() != 0) {
        throw broken(parent, "'" + old.name() + "' is not what it was: the child is " + child);
      }
      if (given.tokensMilli() > Rest.of(child).of(old.limit().burstMilli())
          || Long.signum(kept.tokensMilli()) * Long.signum(given.tokensMilli()) < 0) {
        throw broken(parent, "'" + old.name() + "' gives too much: the child is " + child);
      }
    }
  }

  /** Checks that a shard takes over all that another has. */
  static void checkMerge(Change parent, ShardBook book, BucketState child, ShardBook childBook) {
    BucketState before = required(parent);
    BucketState after = parent.after;
    int level = after.division().level();
    if (before.division().level() != 2 * level
        || child.division().level() != 2 * level
        || child.key().shard() != after.key().shard() + level) {
      throw broken(parent, "no shards are merged like that, with " + child);
    }
    long latestMs = Math.max(before.refilledAtMs(), child.refilledAtMs());
    if (after.refilledAtMs() < latestMs
        || after.refilledAtMs() > Math.max(latestMs, parent.write.writerMs())) {
      throw broken(parent, "a merge claims to another time than now, with " + child);
    }
    if (!after.stamp().equals(before.stamp())
        || Change.isOlderInOne(before.stamp(), child.stamp())) {
      throw broken(parent, "a merge changes stamp or limits, with " + child);
    }
    for (int i = 0; i < before.limits().size(); i++) {
      LimitState old = before.limits().get(i);
      LimitState both = same(parent, after, i, old);
      LimitState gone = child.find(i, old.name());
      long goneMilli = gone == null ? 0 : gone.consumedMilli();
      if (both.consumedMilli() != old.consumedMilli() + goneMilli) {
        throw broken(parent, "the totals of '" + old.name() + "' are not added up, with " + child);
      }
      long broughtMilli = broughtMilli(parent, old, child, gone, childBook);
      checkBalance(parent, book.get(i, old.limit()), old, both, broughtMilli, child);
    }
    int returned = 0;
    for (LimitState gone : child.limits()) {
      if (before.find(gone.name()) == null) {
        returned += checkReturned(parent, child, gone, childBook) ? 1 : 0;
      }
    }
    if (after.limits().size() != before.limits().size() + returned) {
      throw broken(parent, "a merge changes limits, with " + child);
    }
  }

  private static void checkBalance(
      Change parent,
      LimitBook book,
      LimitState old,
      LimitState both,
      long broughtMilli,
      BucketState child) {
    long creditedMilli = both.tokensMilli() - old.tokensMilli() - broughtMilli;
    try {
      boolean unused = LimitRules.checkCredit(parent, book, old, both, creditedMilli);
    } catch (Violation e) {
      throw broken(
          parent, e.getMessage() + "\n  of the child " + broughtMilli + " was due, of " + child);
    }
  }

  /**
   * What the child has at the time up to which is claimed: it was not written since it was read. A
   * limit that it does not have would start full.
   */
  private static long broughtMilli(
      Change parent,
      LimitState old,
      BucketState child,
      @Nullable LimitState gone,
      ShardBook childBook) {
    Rest rest = Rest.of(child);
    long ceilingMilli = rest.of(old.limit().burstMilli());
    if (gone == null) {
      return ceilingMilli;
    }
    LimitRules.requireReckonable(gone);
    return Math.min(ceilingMilli, balanceMilli(parent, child, gone, childBook));
  }

  private static long balanceMilli(
      Change parent, BucketState child, LimitState gone, ShardBook childBook) {
    Rest rest = Rest.of(child);
    Rate rate = childBook.get(0, gone.limit()).rate();
    long earnedMilli = rest.creditMilli(rate, child.refilledAtMs(), parent.toMs);
    return Math.min(gone.tokensMilli() + earnedMilli, rest.of(gone.limit().burstMilli()));
  }

  /**
   * A limit that only the child has. Where limits come with calls, a shard lets go of what is full,
   * so the other share of it is; and unless the child's is too, it must come back with what is left
   * of both. Stored limits are deleted.
   *
   * @return whether it is there
   */
  private static boolean checkReturned(
      Change parent, BucketState child, LimitState gone, ShardBook childBook) {
    LimitState back = parent.after.find(gone.name());
    long ceilingMilli = Rest.of(child).of(gone.limit().burstMilli());
    long balanceMilli = balanceMilli(parent, child, gone, childBook);
    if (back == null) {
      if (parent.after.stamp().level() == ConfigLevel.CALL && balanceMilli < ceilingMilli) {
        throw broken(parent, "'" + gone.name() + "' is lost before it is full, of " + child);
      }
      return false;
    }
    long otherMilli = parent.rest.of(gone.limit().burstMilli());
    if (!back.limit().equals(gone.limit())
        || back.tokensMilli() != otherMilli + balanceMilli
        || back.consumedMilli() != gone.consumedMilli()) {
      throw broken(parent, "'" + gone.name() + "' does not come back as it was, of " + child);
    }
    return true;
  }

  /** Checks that the shards that there are hold every rest, and none of them twice. */
  static void checkWhole(Change change, List<BucketState> shards) {
    int rests = 1;
    for (BucketState shard : shards) {
      rests = Math.max(rests, shard.division().level());
    }
    BitSet held = new BitSet(rests);
    long sum = 0;
    for (BucketState shard : shards) {
      int level = shard.division().level();
      for (int rest = shard.key().shard(); rest < rests; rest += level) {
        sum++;
        held.set(rest);
      }
    }
    if (sum != rests || held.cardinality() != rests) {
      throw broken(change, "the shards are not the whole bucket: " + shards);
    }
    for (LimitState limit : change.after.limits()) {
      checkCapacity(change, limit, shards);
    }
  }

  /** Where all shards go by the same parameters, their ceilings are the limit's. */
  private static void checkCapacity(Change change, LimitState limit, List<BucketState> shards) {
    long sumMilli = 0;
    for (BucketState shard : shards) {
      LimitState other = shard.find(limit.name());
      if (other == null || !other.limit().equals(limit.limit())) {
        return;
      }
      sumMilli += Rest.of(shard).of(other.limit().burstMilli());
    }
    if (sumMilli != limit.limit().burstMilli()) {
      throw broken(change, "the ceilings of '" + limit.name() + "' are " + sumMilli + " together");
    }
  }

  private static LimitState same(Change change, BucketState state, int index, LimitState old) {
    LimitState found = state.find(index, old.name());
    if (found == null || !found.limit().equals(old.limit())) {
      throw broken(change, "'" + old.name() + "' is another limit in " + state);
    }
    LimitRules.requireReckonable(found);
    return found;
  }

  private static BucketState required(Change change) {
    BucketState before = change.before;
    if (before == null) {
      throw new IllegalArgumentException("only what is there is split or merged: " + change.write);
    }
    return before;
  }

  private static Violation broken(Change change, String what) {
    return change.broken(Promise.SHARDING_CONSERVES, what);
  }

  private static Violation broken(TableWrite write, String what) {
    return new Violation(
        Promise.SHARDING_CONSERVES,
        what
            + "; written by "
            + write.writer()
            + " at "
            + write.atMicros()
            + " us\n  before "
            + write.before()
            + "\n  after  "
            + write.after());
  }
}
