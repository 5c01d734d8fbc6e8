package dev.millrace.simulator.oracle;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.ConfigLevel;
import dev.millrace.simulator.oracle.TableWrite.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Watches every change of every bucket and knows what may have happened. It sees states, not plans:
 * whatever a writer had in mind, this is what it did.
 *
 * <ul>
 *   <li>{@link ClockRules}: time is claimed once, and not before it came.
 *   <li>{@link LimitRules}: each claim earns exactly its part, tokens come from nowhere else, and
 *       no acquire leaves a debt.
 *   <li>{@link BurstRules}: in no interval is more admitted than promised.
 * </ul>
 *
 * <p>It remembers a few numbers for each limit that a bucket ever had, and nothing else. Used by
 * one thread.
 */
public final class TableOracle {
  private static final long MICROS = 1_000;
  private static final long SECOND_MICROS = 1_000_000;

  private final OracleSettings settings;
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
    BucketBook book = books.computeIfAbsent(write.key(), key -> new BucketBook());
    BucketState before = write.before();
    if (book.isNew() && before != null) {
      long aheadMicros = before.refilledAtMs() * MICROS - write.atMicros();
      book.found(before, write.atMicros(), aheadMicros);
    }
    requireNext(book, write);
    BucketState after = write.after();
    if (after == null) {
      forgotten(book, write);
    } else {
      boolean repeated = book.isLockRepeated(before);
      unjudged += repeated ? 1 : 0;
      changed(book, new Change(write, before, after, settings, repeated));
    }
    book.wrote(write);
  }

  /** All that was ever charged for a limit of a bucket, less what was given back. */
  public long chargedMilli(BucketKey key, String limit) {
    BucketBook book = books.get(key);
    LimitBook limitBook = book == null ? null : book.find(0, limit);
    return limitBook == null ? 0 : limitBook.chargedMilli();
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
  private static void requireNext(BucketBook book, TableWrite write) {
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
    if (deletes != (write.after() == null)) {
      throw new IllegalArgumentException(write.source() + " with " + write.after());
    }
  }

  private void changed(BucketBook book, Change change) {
    BucketState before = change.before;
    if (before == null) {
      ClockRules.checkCreated(change);
    } else {
      ClockRules.checkKept(change, locks(change, before));
      checkStanding(change, before);
      remove(book, change, before);
      if (change.heals()) {
        book.limits().forEach(LimitBook::endRegime); // also of limits that are gone and may return
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

  private static void remove(BucketBook book, Change change, BucketState before) {
    List<LimitState> limits = before.limits();
    for (int i = 0; i < limits.size(); i++) {
      LimitState old = limits.get(i);
      if (change.after.find(i, old.name()) == null) {
        LimitBook limitBook = book.get(i, old.limit());
        LimitRules.checkRemoved(change, limitBook, old);
        if (change.lockRepeated || change.after.standing().level() != ConfigLevel.CALL) {
          limitBook.endRegime();
        }
      }
    }
  }

  /** Whether the write changes what a writer with an older copy must notice. */
  private static boolean locks(Change change, BucketState before) {
    if (change.byOperator() || change.changesStanding()) {
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

  private static void checkStanding(Change change, BucketState before) {
    if (change.after.standing().version() < before.standing().version()) {
      throw change.broken(Promise.CHANGES_ARRIVE, "a later configuration is taken back");
    }
  }

  private void forgotten(BucketBook book, TableWrite write) {
    BucketState before = write.before();
    if (before == null || write.source() == Source.ERASE) {
      book.limits().forEach(LimitBook::endRegime);
      return;
    }
    checkExpired(write, before);
    if (book.lastSlowMs() > settings.maxSkewMs()) {
      // Nothing is promised of such clocks: its expiry may have been over when it was written.
      book.limits().forEach(LimitBook::endRegime);
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
