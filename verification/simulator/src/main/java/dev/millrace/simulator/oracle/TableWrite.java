package dev.millrace.simulator.oracle;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change of one bucket in the table, as it happened.
 *
 * <p>What a write means cannot be told from the two states alone: a refund that a full bucket
 * swallows looks like a loss, and a charge that nobody may refuse looks like an acquire. So whoever
 * watches the table says how much of either there can be in a write. Only bounds are asked for;
 * closer ones find more.
 *
 * @param atMicros true time, in epoch microseconds, at which it took effect
 * @param writer the process that sent it
 * @param source who the process is
 * @param key which bucket
 * @param before the bucket before it, null when there was none
 * @param after the bucket after it, null when there is none
 * @param writerMs what the writer took for the time when it planned the write
 * @param uncheckedMilli by limit, the most that the write may charge without a check: what the
 *     process had to settle for this bucket; no entry for nothing
 * @param givenBackMilli by limit, the most that the write may give back, likewise; null when that
 *     is not known, and then every loss that a refund could explain is believed
 * @param alone whether it was sent by itself and once. A transaction does not tell its writer what
 *     it left, so the next write of that writer may rest on a balance that never was; and it may be
 *     made when it is sent for the second time, long after it was planned
 */
public record TableWrite(
    long atMicros,
    String writer,
    Source source,
    BucketKey key,
    @Nullable BucketState before,
    @Nullable BucketState after,
    long writerMs,
    Map<String, Long> uncheckedMilli,
    @Nullable Map<String, Long> givenBackMilli,
    boolean alone) {
  /** A change must change something. */
  public TableWrite {
    if (before == null && after == null) {
      throw new IllegalArgumentException("neither a state before nor one after for " + key);
    }
  }

  /** A change of which neither refunds nor company are known: it is judged leniently. */
  public TableWrite(
      long atMicros,
      String writer,
      Source source,
      BucketKey key,
      @Nullable BucketState before,
      @Nullable BucketState after,
      long writerMs,
      Map<String, Long> uncheckedMilli) {
    this(
        atMicros,
        writer,
        source,
        key,
        before,
        after,
        writerMs,
        uncheckedMilli,
        /* givenBackMilli= */ null,
        /* alone= */ false);
  }

  /** The writers of buckets. */
  public enum Source {
    /** A limiter. */
    CLIENT,
    /** Somebody who changes limits, switches or balances. */
    OPERATOR,
    /** The store, because the bucket's time has come. */
    EXPIRY,
    /** Somebody who deletes. */
    ERASE
  }
}
