package dev.millrace;

import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;

/**
 * Hears what a limiter does, for metrics, logs and tests. Called on the caller's or the store's
 * thread: be quick, and do not block. What a listener throws, an {@code Error} included, is
 * counted, logged once and goes no further.
 */
public interface LimiterListener {
  /** A request was admitted and charged. */
  default void onAdmitted(BucketKey key, Amounts amounts) {}

  /** A request was refused by a limit. */
  default void onRefused(BucketKey key, Rejection rejection) {}

  /** A request was refused because something that it draws on is switched off. */
  default void onDisabled(BucketKey key, DisabledBucket disabled) {}

  /** A request was admitted although soft limits were short. */
  default void onOverdrawn(BucketKey key, List<LimitStatus> statuses) {}

  /** {@code legs} buckets were charged for a request that another one refused, and given back. */
  default void onGivenBack(BucketKey key, int legs) {}

  /** A bucket followed later versions of records than this process knew; they are looked up. */
  default void onOutdated(BucketKey key) {}

  /**
   * What is stored about a bucket is older than what the bucket follows, although all of it was
   * just looked up: the table was restored, or records were deleted by hand. The request is
   * refused, whatever its policy, until an operator has said what holds.
   *
   * @param bucket the versions that the bucket follows
   * @param stored the versions that are stored
   */
  default void onConfigSetBack(BucketKey key, RecordVersions bucket, RecordVersions stored) {}

  /**
   * So many look-ups for buckets that follow a later configuration are under way in this process
   * that a further one was not begun.
   */
  default void onLookUpsFull(BucketKey key) {}

  /**
   * {@code requests} requests begin one conversation with the store about a bucket, on this thread:
   * its first call follows, unless the answer is known without.
   */
  default void onGroup(BucketKey key, int requests) {}

  /** {@code records} records of stored configuration were looked up. */
  default void onLookUp(int records) {}

  /** All threads for further buckets are busy; a caller does the work itself. */
  default void onLegThreadsBusy() {}

  /**
   * All threads for work for which no caller waits are busy: a write that is due comes later, other
   * work is done on the calling thread.
   */
  default void onBackgroundThreadsBusy() {}

  /** The store could not answer; the caller got what {@code policy} says. */
  default void onUnavailable(BucketKey key, StoreFailure failure, OnUnavailable policy) {}

  /** The answer of {@code count} writes was lost. */
  default void onUnknownOutcome(BucketKey key, int count) {}

  /** {@code count} writes were refused because somebody else had changed the bucket. */
  default void onLostLock(BucketKey key, int count) {}

  /** A bucket was created. */
  default void onCreated(BucketKey key) {}

  /** The limits of a bucket were changed to those of the request. */
  default void onReparameterised(BucketKey key) {}

  /** A refill timestamp was {@code aheadMs} ahead, more than is believed, and was set to now. */
  default void onRefillHealed(BucketKey key, long aheadMs) {}

  /** The clock was off and is corrected by {@code offsetMs} from now on. */
  default void onClockCorrected(long offsetMs) {}

  /** A lease was settled with a write. */
  default void onSettled(BucketKey key, Amounts amounts) {}

  /**
   * A settlement failed: its caller was told so, or it was given up. What was to be written is not
   * written, or nobody knows whether it is.
   */
  default void onSettleFailed(BucketKey key, Amounts amounts, StoreFailure failure) {}

  /**
   * A write of a settlement failed, the first or a later one, or takes longer than its caller
   * waits. The limiter keeps the amounts and writes them later.
   */
  default void onSettlementPostponed(BucketKey key, Amounts amounts, StoreFailure failure) {}

  /**
   * A settlement that the limiter had kept, or for which no caller waits, will not be written: its
   * writes have failed for too long, too many wait, the limiter has closed, or it may be written
   * already and must not be twice. {@link #onSettleFailed} follows.
   */
  default void onSettlementGivenUp(BucketKey key, Amounts amounts, StoreFailure failure) {}

  /** {@code change} more buckets have settlements that wait for a write, fewer when negative. */
  default void onSettlementsPending(int change) {}

  /** The limiter was closed, and not everything was written in time. */
  default void onClosedIncomplete(CloseReport report) {}

  /** Too many callers already wait for a bucket; one more was sent away. */
  default void onWaitLineFull(BucketKey key) {}

  /** Too many requests of this process already queue for a bucket; one more was sent away. */
  default void onQueueFull(BucketKey key) {}

  /** A bucket was found to be divided into {@code shards} shards, or to be told so. */
  default void onShards(BucketKey key, int shards) {}

  /** There should be {@code shards} shards of a bucket from now on: this process has said so. */
  default void onResized(BucketKey key, int shards) {}

  /** This process has split a shard in two. */
  default void onSplit(BucketKey key) {}

  /** A doubling or split was left to later: this process divides no more buckets this second. */
  default void onDivisionPostponed(BucketKey key) {}

  /** This process has merged a shard into the one it was split off. */
  default void onMerged(BucketKey key) {}

  /** A request was taken from {@code shards} shards of a bucket in one transaction. */
  default void onWide(BucketKey key, int shards) {}

  /** A request was refused although all shards of a bucket together hold what it wants. */
  default void onLeftElsewhere(BucketKey key) {}

  /**
   * The store could not be reached several times in a row, at last because of {@code failure}: from
   * now on calls fail at once, and one probe at a time looks whether it is back.
   */
  default void onStoreAway(StoreFailure failure) {}

  /** The store answers again, {@code awayMs} after it was found to be away. */
  default void onStoreBack(long awayMs) {}

  /** A listener threw; the limiter goes on. */
  default void onListenerFailed(Throwable thrown) {}

  /** One round trip to the store. */
  default void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {}
}
