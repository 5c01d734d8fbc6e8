package dev.millrace.simulator.oracle;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The oracle's record of one shard of a bucket, over all its lives. */
final class ShardBook {
  private static final long MICROS = 1_000;

  private final BucketBook bucket;
  private final List<LimitBook> limits = new ArrayList<>();
  private final UsedLocks locks = new UsedLocks();
  private @Nullable BucketState last;
  private long lastAtMicros = Long.MIN_VALUE;
  private long lastSlowMs;
  private long mostAheadMicros = Long.MIN_VALUE;

  ShardBook(BucketBook bucket) {
    this.bucket = bucket;
  }

  BucketBook bucket() {
    return bucket;
  }

  @Nullable BucketState last() {
    return last;
  }

  /** When it was last written. */
  long lastAtMicros() {
    return lastAtMicros;
  }

  /**
   * How far its refill timestamp was ever ahead of true time, as far as that is believed: a process
   * whose own clock is ahead believes more.
   */
  long mostAheadMicros() {
    return mostAheadMicros;
  }

  /** By how much the clock of the last writer was slow. */
  long lastSlowMs() {
    return lastSlowMs;
  }

  boolean isNew() {
    return lastAtMicros == Long.MIN_VALUE;
  }

  /** After a write was accepted. */
  void wrote(TableWrite write, OracleSettings settings) {
    BucketState after = write.after();
    if (after == null || (last != null && isAnotherAge(last, after))) {
      locks.endAge();
    }
    if (after != null && (last == null || !isSameLock(last, after))) {
      locks.add(after.refilledAtMs(), after.division().level());
    }
    if (after == null) {
      limits.forEach(LimitBook::gone);
    }
    long aheadMicros = after == null ? 0 : after.refilledAtMs() * MICROS - write.atMicros();
    if (after != null && aheadMicros <= 2 * settings.maxSkewMs() * MICROS) {
      mostAheadMicros = Math.max(mostAheadMicros, aheadMicros);
    }
    last = after;
    lastAtMicros = write.atMicros();
    lastSlowMs = Math.floorDiv(write.atMicros(), MICROS) - write.writerMs();
  }

  private static boolean isAnotherAge(BucketState before, BucketState after) {
    return after.refilledAtMs() < before.refilledAtMs()
        || after.division().level() != before.division().level();
  }

  private static boolean isSameLock(BucketState before, BucketState after) {
    return after.refilledAtMs() == before.refilledAtMs()
        && after.division().level() == before.division().level();
  }

  /** Whether a write may have been planned when the shard was another one with the same lock. */
  boolean isLockRepeated(@Nullable BucketState before) {
    return before != null && locks.isRepeated(before.refilledAtMs(), before.division().level());
  }

  /** The book of a limit, looked for first where it is most likely. */
  @Nullable LimitBook find(int index, String limit) {
    if (index < limits.size() && limits.get(index).name.equals(limit)) {
      return limits.get(index);
    }
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).name.equals(limit)) {
        return limits.get(i);
      }
    }
    return null;
  }

  /** The book of a limit, which is opened when there is none. */
  LimitBook get(int index, Limit limit) {
    LimitBook book = find(index, limit.name());
    if (book == null) {
      book = new LimitBook(limit, bucket.limit(index, limit.name()));
      limits.add(book);
    }
    return book;
  }

  /** A shard that was there before anybody watched. */
  void found(BucketState state, long atMicros, long aheadMicros) {
    for (LimitState limit : state.limits()) {
      get(0, limit.limit()).found(limit, atMicros, aheadMicros);
    }
    last = state;
    lastAtMicros = atMicros;
    mostAheadMicros = state.refilledAtMs() * MICROS - atMicros;
  }
}
