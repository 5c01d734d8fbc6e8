package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.Violation;
import java.util.List;

/** The checks at the end of a history. */
final class Finale {
  private final Table table;
  private final Accounts accounts;
  private final Changes changes;

  Finale(Table table, Accounts accounts, Changes changes) {
    this.table = table;
    this.accounts = accounts;
    this.changes = changes;
  }

  /**
   * The bucket must have the limits that are stored. Where operators were not told that their
   * change is done, it need not know before somebody claims.
   *
   * @param claimedMs up to when it had been claimed when all had to know
   */
  void requireCurrent(BucketKey key, long claimedMs) {
    LimitSet set = table.limits(key);
    boolean told = changes.limits().get(key.entityId() + "/" + key.resource()) != null;
    for (BucketState state : table.shards(key)) {
      boolean claimed = state.key().shard() == 0 && state.refilledAtMs() != claimedMs;
      if (set != null && (told || claimed)) {
        requireCurrent(state, set);
      }
    }
  }

  private static void requireCurrent(BucketState state, LimitSet set) {
    for (Limit limit : set) {
      LimitState stored = state.find(limit.name());
      if (stored == null || !stored.limit().equals(limit)) {
        throw new Violation(
            Promise.CHANGES_ARRIVE,
            state.key()
                + " goes by "
                + (stored == null ? "nothing" : stored.limit())
                + ", not by "
                + limit);
      }
    }
  }

  /** Whether everybody who charged a bucket got all answers and ended in good order. */
  private static boolean isCertain(List<Life> lives, BucketKey key) {
    for (Life life : lives) {
      if (life.spec().prefetch() && (!life.isAlive() || life.troubles(key) > 0)) {
        return false;
      }
    }
    return true;
  }

  /** Everybody has gone: nothing may be left over, and nothing be charged that nobody was told. */
  void requireNothingLeft(List<Life> lives) {
    accounts.nothingAhead(key -> isCertain(lives, key));
    accounts.nothingOwed();
    for (Life life : lives) {
      if (life.isAlive() && life.hasLeftOver()) {
        throw new Violation(
            Promise.NOTHING_LOST, life.name() + " was closed in peace and left " + life.leftOver());
      }
      if (life.isAlive() && life.open() > 0) {
        throw new Violation(
            Promise.NOBODY_WAITS_FOR_EVER, life.open() + " callers of " + life.name() + " wait");
      }
      if (life.isAlive() && life.threads() > 0) {
        throw new Violation(
            Promise.BOUNDED_MEMORY, life.threads() + " threads of " + life.name() + " are left");
      }
      if (life.isAlive() && life.time().timers() > 0) {
        throw new Violation(
            Promise.BOUNDED_MEMORY,
            life.time().timers() + " timers of " + life.name() + " are left");
      }
    }
  }
}
