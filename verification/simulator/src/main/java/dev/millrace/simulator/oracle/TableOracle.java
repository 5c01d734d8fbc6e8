package dev.millrace.simulator.oracle;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.simulator.oracle.TableWrite.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Watches every change of every bucket and knows what may have happened. It sees states, not plans:
 * whatever a writer had in mind, this is what it did.
 *
 * <ul>
 *   <li>{@link ClockRules}: time is claimed once, and not before it came.
 *   <li>{@link LimitRules}: each claim earns exactly its part, tokens come from nowhere else, and
 *       no acquire leaves a debt.
 *   <li>{@link ShardRules}: the shards of a bucket are the whole bucket, and what moves between
 *       them is neither made nor lost.
 *   <li>{@link BurstRules}: in no interval is more admitted than promised, by all shards together.
 * </ul>
 *
 * <p>It remembers a few numbers for each limit that a bucket ever had, and nothing else. Used by
 * one thread.
 */
public final class TableOracle {
  private static final long MICROS = 1_000;
  private static final long SECOND_MICROS = 1_000_000;

  private final OracleSettings settings;

  /** By the first shard. */
  private final Map<BucketKey, BucketBook> books = new HashMap<>();

  private final BurstRules bursts = new BurstRules();
  private long unjudged;

  /** An oracle that has seen nothing, for writers with these settings. */
  public TableOracle(long grainMs, long maxSkewMs) {
    this.settings = OracleSettings.of(grainMs, maxSkewMs);
  }

  /**
   * Checks one change; the changes of a bucket come in the order in which they happened.
   *
   * @throws Violation when it breaks a promise
   */
  public void wrote(TableWrite write) {
    wrote(List.of(write));
  }

  /**
   * Checks changes that happened together, in one transaction.
   *
   * @throws Violation when they break a promise
   */
  public void wrote(List<TableWrite> together) {
    for (int i = 0; i < together.size(); i++) {
      open(together.get(i));
    }
    if (together.size() == 1) {
      alone(together.get(0));
      return;
    }
    List<TableWrite> others = new ArrayList<>(together);
    for (TableWrite parent : together) {
      TableWrite child = reshapes(parent) ? childOf(parent, together) : null;
      if (child != null) {
        others.remove(parent);
        others.remove(child);
        reshaped(parent, child);
      }
    }
    others.forEach(this::alone);
  }

  private void open(TableWrite write) {
    ShardBook book = book(write);
    BucketState before = write.before();
    if (book.isNew() && before != null) {
      long aheadMicros = before.refilledAtMs() * MICROS - write.atMicros();
      book.found(before, write.atMicros(), aheadMicros);
    }
    requireNext(book, write);
  }

  private ShardBook book(TableWrite write) {
    BucketKey key = write.key();
    return books.computeIfAbsent(key.withShard(0), first -> new BucketBook()).shard(key.shard());
  }

  /** Whether a shard takes another level. */
  private static boolean reshapes(TableWrite write) {
    BucketState before = write.before();
    BucketState after = write.after();
    return before != null && after != null && before.division().level() != after.division().level();
  }

  /** The shard that is split off or taken over in the same transaction, null when there is none. */
  private static @Nullable TableWrite childOf(TableWrite parent, List<TableWrite> together) {
    int level =
        Math.min(
            Objects.requireNonNull(parent.before()).division().level(),
            Objects.requireNonNull(parent.after()).division().level());
    BucketKey key = parent.key().withShard(parent.key().shard() + level);
    for (TableWrite write : together) {
      if (write.key().equals(key) && (write.before() == null || write.after() == null)) {
        return write;
      }
    }
    return null;
  }

  private void alone(TableWrite write) {
    ShardRules.checkAlone(write);
    ShardBook book = book(write);
    BucketState before = write.before();
    BucketState after = write.after();
    if (after == null) {
      forgotten(book, write);
    } else {
      boolean repeated = book.isLockRepeated(before);
      unjudged += repeated ? 1 : 0;
      Change change = new Change(write, before, after, settings, repeated);
      ShardRules.checkShard(change);
      changed(book, change);
      if (before == null) {
        // Nobody may make the bucket anew while others of its shards are there.
        ShardRules.checkWhole(change, withNew(book.bucket(), after));
      }
    }
    book.wrote(write, settings);
  }

  private static List<BucketState> withNew(BucketBook bucket, BucketState made) {
    List<BucketState> shards = bucket.shards();
    shards.add(made);
    return shards;
  }

  private void reshaped(TableWrite write, TableWrite childWrite) {
    ShardBook book = book(write);
    ShardBook childBook = book(childWrite);
    BucketState before = Objects.requireNonNull(write.before());
    BucketState after = Objects.requireNonNull(write.after());
    boolean repeated = book.isLockRepeated(before);
    unjudged += repeated ? 1 : 0;
    Change change = new Change(write, before, after, settings, repeated);
    ShardRules.checkShard(change);
    BucketState child = childWrite.after();
    if (child != null) {
      ShardRules.checkShard(new Change(childWrite, null, child, settings, false));
      ShardRules.checkSplit(change, childWrite.before(), child);
      for (int i = 0; i < child.limits().size(); i++) {
        LimitState limit = child.limits().get(i);
        childBook.get(i, limit.limit()).takenOver(change, limit);
      }
    } else {
      ShardRules.checkMerge(change, book, Objects.requireNonNull(childWrite.before()), childBook);
    }
    for (int i = 0; i < after.limits().size(); i++) {
      LimitState limit = after.limits().get(i);
      LimitBook limitBook = book.get(i, limit.limit());
      LimitState old = before.find(i, limit.name());
      if (old == null) {
        limitBook.takenOver(change, limit);
      } else {
        limitBook.reshaped(old, limit);
      }
      BurstRules.reshaped(change, limitBook);
    }
    book.wrote(write, settings);
    childBook.wrote(childWrite, settings);
    ShardRules.checkWhole(change, book.bucket().shards());
  }

  /**
   * All that was ever charged for a limit of a bucket, by any of its shards, less what was given
   * back.
   */
  public long chargedMilli(BucketKey key, String limit) {
    BucketBook book = books.get(key.withShard(0));
    WholeLimit whole = book == null ? null : book.find(0, limit);
    return whole == null ? 0 : whole.chargedMilli();
  }

  /** How much of what P1 allows was admitted at most: 1 is all of it. */
  public double worstBurst() {
    return bursts.worst();
  }

  /**
   * How many writes were not asked what they credited, because they may have been planned when the
   * bucket was another one with the same refill timestamp.
   */
  public long unjudged() {
    return unjudged;
  }

  /** Whoever tells a history with gaps gets no verdict on it. */
  private static void requireNext(ShardBook book, TableWrite write) {
    BucketState last = book.last();
    BucketState before = write.before();
    if (!Objects.equals(before, last)) {
      throw new IllegalArgumentException("not what was last told: " + before + ", but " + last);
    }
    if (write.atMicros() < book.lastAtMicros()) {
      throw new IllegalArgumentException(
          "told at " + write.atMicros() + " us, after one at " + book.lastAtMicros() + " us");
    }
    boolean deletes = write.source() == Source.EXPIRY || write.source() == Source.ERASE;
    boolean merges = !deletes && write.key().shard() != 0;
    if (deletes != (write.after() == null) && !merges) {
      throw new IllegalArgumentException(write.source() + " with " + write.after());
    }
  }

  private void changed(ShardBook book, Change change) {
    BucketState before = change.before;
    if (before == null) {
      ClockRules.checkCreated(change);
    } else {
      ClockRules.checkKept(change, locks(change, before), book.mostAheadMicros());
      checkStamp(change, before);
      remove(book, change, before);
      if (change.heals()) {
        book.bucket().endRegimes();
      }
    }
    List<LimitState> limits = change.after.limits();
    for (int i = 0; i < limits.size(); i++) {
      LimitState after = limits.get(i);
      LimitState old = before == null ? null : before.find(i, after.name());
      LimitBook limitBook = book.get(i, after.limit());
      if (old == null) {
        add(change, limitBook, after);
      } else {
        keep(change, limitBook, old, after);
      }
    }
  }

  private void add(Change change, LimitBook book, LimitState after) {
    LimitRules.checkAdded(change, book, after);
    book.added(change, after);
    bursts.check(change, book, after, after.consumedMilli());
  }

  private void keep(Change change, LimitBook book, LimitState before, LimitState after) {
    boolean lifted = LimitRules.checkKept(change, book, before, after);
    book.kept(change, before, after, lifted);
    bursts.check(change, book, after, after.consumedMilli() - before.consumedMilli());
  }

  private static void remove(ShardBook book, Change change, BucketState before) {
    List<LimitState> limits = before.limits();
    for (int i = 0; i < limits.size(); i++) {
      LimitState old = limits.get(i);
      if (change.after.find(i, old.name()) == null) {
        LimitBook limitBook = book.get(i, old.limit());
        LimitRules.checkRemoved(change, limitBook, old);
        limitBook.gone();
        if (change.lockRepeated || change.after.stamp().level() != ConfigLevel.CALL) {
          limitBook.whole().endRegime();
        }
      }
    }
  }

  /** Whether the write changes what a writer with an older copy must notice. */
  private static boolean locks(Change change, BucketState before) {
    if (before.division().count() != change.after.division().count()) {
      return false; // and nothing else does, see ShardRules
    }
    if (change.byOperator() || change.changesStamp()) {
      return true;
    }
    List<LimitState> limits = change.after.limits();
    for (int i = 0; i < limits.size(); i++) {
      LimitState after = limits.get(i);
      LimitState old = before.find(i, after.name());
      if (old == null || !old.limit().equals(after.limit())) {
        return true;
      }
    }
    return false;
  }

  private static void checkStamp(Change change, BucketState before) {
    if (Change.isOlderInOne(change.after.stamp(), before.stamp())) {
      throw change.broken(Promise.CHANGES_ARRIVE, "a later configuration is taken back");
    }
  }

  private void forgotten(ShardBook book, TableWrite write) {
    BucketState before = write.before();
    if (before == null || write.source() == Source.ERASE) {
      book.bucket().endRegimes();
      return;
    }
    checkExpired(write, before);
    if (book.lastSlowMs() > settings.maxSkewMs()) {
      // Nothing is promised of such clocks: its expiry may have been over when it was written.
      book.bucket().endRegimes();
      return;
    }
    long writtenMs = Math.floorDiv(book.lastAtMicros(), MICROS);
    long fromMs = Math.min(before.refilledAtMs(), writtenMs);
    List<LimitState> limits = before.limits();
    for (int i = 0; i < limits.size(); i++) {
      LimitState limit = limits.get(i);
      BurstRules.checkForgotten(write, book, book.get(i, limit.limit()), limit, fromMs);
    }
  }

  private static void checkExpired(TableWrite write, BucketState before) {
    long expiresAtSeconds = before.expiresAtSeconds();
    if (expiresAtSeconds == BucketState.NEVER
        || expiresAtSeconds > Math.floorDiv(write.atMicros(), SECOND_MICROS)) {
      throw new Violation(
          Promise.BOUNDED_BURST,
          "forgotten at " + write.atMicros() + " us, before its time: " + write.before());
    }
  }
}
