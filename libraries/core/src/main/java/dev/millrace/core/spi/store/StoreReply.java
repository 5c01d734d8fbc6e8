package dev.millrace.core.spi.store;

import dev.millrace.BucketKey;
import dev.millrace.LimiterEvent.RoundTrip;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of a store. A refused condition is an answer, not an exception. */
public sealed interface StoreReply {
  /** What the call cost and what the store's clock said. */
  Receipt receipt();

  /** The sort of answer, for events, metrics and traces. */
  default RoundTrip.Result result() {
    if (this instanceof Refused || this instanceof Cancelled) {
      return RoundTrip.Result.REFUSED;
    }
    if (this instanceof NotApplied) {
      return RoundTrip.Result.FAILED;
    }
    return this instanceof Unknown ? RoundTrip.Result.UNKNOWN : RoundTrip.Result.DONE;
  }

  /**
   * The answer to a read.
   *
   * @param state the bucket, null when there is none
   */
  record Found(@Nullable BucketState state, Receipt receipt) implements StoreReply {}

  /**
   * The write was made.
   *
   * @param state the bucket after it
   */
  record Applied(BucketState state, Receipt receipt) implements StoreReply {}

  /**
   * The write's condition did not hold; nothing was changed.
   *
   * @param state the bucket that refused, null when there is none
   */
  record Refused(@Nullable BucketState state, Receipt receipt) implements StoreReply {}

  /** Buckets that were asked for; those that do not exist are not in it. */
  record FoundAll(Map<BucketKey, BucketState> states, Receipt receipt) implements StoreReply {
    /** Keeps the states as they are now. */
    public FoundAll {
      states = Map.copyOf(states);
    }
  }

  /** The transaction was made. It does not tell what it left behind. */
  record Committed(Receipt receipt) implements StoreReply {}

  /**
   * The transaction was not made, because of the conditions of some of its writes.
   *
   * @param causes one for each plan and then for each change, in their order
   */
  record Cancelled(List<Cause> causes, Receipt receipt) implements StoreReply {
    /** Keeps the causes as they are now. */
    public Cancelled {
      causes = List.copyOf(causes);
    }

    /**
     * The part that one write had in a cancelled transaction.
     *
     * @param refused whether its condition did not hold
     * @param state the bucket that refused, null when there is none
     * @param record the record that refused, null when there is none
     */
    public record Cause(
        boolean refused, @Nullable BucketState state, @Nullable StoredRecord record) {
      /** A write that would have been made. */
      public static final Cause NONE = new Cause(false, null, null);
    }
  }

  /** Records that were asked for; those that do not exist are not in it. */
  record Records(Map<RecordKey, StoredRecord> records, Receipt receipt) implements StoreReply {
    /** Keeps the records as they are now. */
    public Records {
      records = Map.copyOf(records);
    }
  }

  /**
   * A page of a listing.
   *
   * @param cursor where the next page begins, null when there is none
   */
  record Page(List<ListEntry> entries, @Nullable String cursor, Receipt receipt)
      implements StoreReply {
    /** Keeps the entries as they are now. */
    public Page {
      entries = List.copyOf(entries);
    }
  }

  /** Everything that was to be deleted is gone. */
  record Erased(Receipt receipt) implements StoreReply {}

  /** The call surely had no effect: throttled, refused, or never sent. */
  record NotApplied(StoreFailure failure, Receipt receipt) implements StoreReply {}

  /** The answer was lost: a write may have been made or not, and may yet be. */
  record Unknown(StoreFailure failure, Receipt receipt) implements StoreReply {}

  /**
   * The cost of one call, in the units that the store bills, and the time of the store's clock.
   *
   * @param readUnits read units
   * @param writeUnits write units of the table
   * @param indexWriteUnits write units of its indexes
   * @param storeTimeMs the store's time with a resolution of a second, or {@link #NO_TIME}
   */
  public record Receipt(
      double readUnits, double writeUnits, double indexWriteUnits, long storeTimeMs) {
    /** The store did not say what time it is. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** Nothing is known to have been spent. */
    public static final Receipt NONE = new Receipt(0, 0, 0, NO_TIME);
  }
}
