package dev.millrace;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event of a limiter, for {@link LimiterListener}s.
 *
 * <p>There will be further types of events, further constants of their enums and further components
 * of their records: have a default branch wherever you distinguish them, read components by their
 * names, and leave it to the limiter to make events.
 */
public sealed interface LimiterEvent {
  /**
   * A request was decided. One that waited for tokens is decided once, when the wait is over.
   *
   * @param bucket the bucket of the request itself; others may have been charged too
   * @param amounts what was asked of that bucket, when it was charged
   * @param overdrawn soft limits that were short although the request was admitted
   * @param refusal why it was refused
   * @param failure the failure of the store, such as {@code TIMED_OUT}, when it gave no answer
   */
  record Decision(
      Outcome outcome,
      BucketKey bucket,
      @Nullable Amounts amounts,
      List<LimitStatus> overdrawn,
      @Nullable Refusal refusal,
      @Nullable String failure)
      implements LimiterEvent {
    /** The outcome of a request. */
    public enum Outcome {
      /** Admitted and charged. */
      ADMITTED,
      /** Refused by a limit. */
      REFUSED,
      /** Refused because the entity or resource is disabled. */
      DISABLED,
      /** Failed because the store was unavailable. */
      BLOCKED,
      /** Admitted without a charge because the store was unavailable. */
      DEGRADED
    }
  }

  /**
   * The amounts of a lease, or of a request that was not granted as a whole, went on their way into
   * a bucket.
   *
   * @param amounts what is charged; what is given back is negative
   * @param failure the failure of the store, null when they are written
   */
  record SettlementProgress(
      State state, BucketKey bucket, Amounts amounts, @Nullable String failure)
      implements LimiterEvent {
    /** How far a settlement has come. */
    public enum State {
      /** Written. */
      WRITTEN,
      /** A write failed or takes longer than its caller waits: the limiter writes it later. */
      POSTPONED,
      /** A settlement that the limiter had kept will not be written; FAILED follows. */
      GIVEN_UP,
      /** Not written, or perhaps written: its caller got an exception, or it was given up. */
      FAILED
    }
  }

  /**
   * A bucket was created or changed its shape.
   *
   * @param shards how many shards it has or should have, 0 where that does not matter
   */
  record BucketTransition(Change change, BucketKey bucket, int shards) implements LimiterEvent {
    /** The sorts of changes. */
    public enum Change {
      /** Created. */
      CREATED,
      /** Its limits were changed to those of a request. */
      REPARAMETERISED,
      /** Found to be divided into so many shards, or to be about to. */
      DIVISION_SEEN,
      /** This process has set how many shards there should be. */
      RESIZED,
      /** This process has split a shard in two. */
      SPLIT,
      /** This process has merged a shard into the one it was split off. */
      MERGED
    }
  }

  /**
   * Requests begin one conversation with the store about a bucket, on this thread: its first call
   * follows, unless the answer is known without.
   *
   * @param requests how many share it
   */
  record WriteGroup(BucketKey bucket, int requests) implements LimiterEvent {}

  /**
   * One round trip to the store.
   *
   * @param buckets the buckets that it was to read or write
   * @param readUnits read units spent
   * @param writeUnits write units of the table spent
   * @param indexWriteUnits write units of its indexes spent
   */
  record RoundTrip(
      Operation operation,
      Result result,
      List<BucketKey> buckets,
      double readUnits,
      double writeUnits,
      double indexWriteUnits,
      Duration elapsed)
      implements LimiterEvent {
    /** The sorts of calls. */
    public enum Operation {
      /** Reads buckets. */
      READ,
      /** Writes a bucket. */
      WRITE,
      /** Writes several buckets and records, all or none. */
      TRANSACTION,
      /** Reads stored configuration. */
      LOOKUP,
      /** Lists a page. */
      LIST,
      /** Deletes buckets and items. */
      ERASE
    }

    /** The sorts of answers. */
    public enum Result {
      /** Carried out. */
      DONE,
      /** A condition did not hold; nothing was changed. */
      REFUSED,
      /** Surely without an effect: throttled, or never sent. */
      FAILED,
      /** The answer was lost: a write may have been made or not. */
      UNKNOWN
    }
  }

  /**
   * The store was found to be unavailable, or to be available again. While it is not, calls fail at
   * once, and one probe at a time looks whether it is back.
   *
   * @param awayFor how long it was unavailable; zero when it has just become so
   * @param failure the last failure, null when it is back
   */
  record StoreAvailability(boolean available, Duration awayFor, @Nullable String failure)
      implements LimiterEvent {}

  /**
   * Something else that is counted; most kinds point to contention, to a bound that was met or to
   * trouble that an operator should know of.
   *
   * @param bucket the bucket concerned, if it is one
   * @param amount what the kind says; else 1
   * @param text for people
   * @param cause what was thrown, if anything was
   */
  record Notice(
      Kind kind, @Nullable BucketKey bucket, long amount, String text, @Nullable Throwable cause)
      implements LimiterEvent {
    /** The sorts of notices. */
    public enum Kind {
      /** The amount is how many buckets were charged for a refused request, and are given back. */
      GIVEN_BACK,
      /** A bucket followed later versions of records than this process knew. */
      OUTDATED,
      /** What is stored is older than what a bucket follows: its requests are refused. */
      CONFIG_SET_BACK,
      /** The amount is how many records of stored configuration were looked up. */
      LOOK_UP,
      /** Too many look-ups are under way: one was not begun. */
      LOOK_UPS_FULL,
      /** All threads for further buckets are busy; a caller does the work itself. */
      LEG_THREADS_BUSY,
      /** All threads for work for which no caller waits are busy. */
      BACKGROUND_THREADS_BUSY,
      /** The amount is how many writes lost their answer. */
      UNKNOWN_OUTCOME,
      /** The amount is how many writes were refused because the bucket had been changed. */
      LOST_LOCK,
      /** The amount is by how many milliseconds a refill timestamp was ahead; it is set to now. */
      REFILL_HEALED,
      /** The amount is by how many milliseconds the clock is corrected from now on. */
      CLOCK_CORRECTED,
      /** The amount is how many more buckets have settlements that wait, negative for fewer. */
      SETTLEMENTS_PENDING,
      /** Too many callers already wait for a bucket; one more was sent away. */
      WAIT_LINE_FULL,
      /** Too many requests already queue for a bucket; one more was sent away. */
      QUEUE_FULL,
      /** A call has made all the writes that it may; one more was not sent. */
      WRITE_BUDGET_SPENT,
      /** A split was left to later: this process divides no more buckets this second. */
      DIVISION_POSTPONED,
      /** The amount is from how many shards a request was taken in one transaction. */
      TAKEN_FROM_SHARDS,
      /** A request was refused although all shards of a bucket together hold what it wants. */
      LEFT_ELSEWHERE,
      /** The limiter was closed, and the amount is how many settlements were not written. */
      CLOSED_INCOMPLETE,
      /** A listener threw; the limiter goes on. */
      LISTENER_FAILED
    }
  }
}
