package dev.millrace;

/** The counts of a limiter at one moment, since it was created. */
public interface LimiterMetrics {
  /** Requests that were admitted and charged. */
  long admitted();

  /** Requests that a limit refused. */
  long refused();

  /** Requests that failed because the store was away. */
  long blocked();

  /** Requests that were admitted without a charge because the store was away. */
  long degraded();

  /** Writes whose answer was lost. */
  long unknownOutcomes();

  /** Writes refused because another writer had changed the bucket. */
  long lostLocks();

  /** Buckets created. */
  long created();

  /** Buckets whose limits were changed to those of a request. */
  long reparameterised();

  /** Refill timestamps too far ahead that were set to now. */
  long healedRefills();

  /** Changes of the clock's correction. */
  long clockCorrections();

  /** Leases settled with a write. */
  long settled();

  /** Settlements that failed: their callers were told, or they were given up. */
  long settleFailures();

  /** Callers sent away because too many were waiting. */
  long waitLinesFull();

  /** Requests sent away because too many were queued for their bucket. */
  long queuesFull();

  /** Requests refused because something was switched off. */
  long disabled();

  /** Requests admitted although soft limits were short. */
  long overdrawn();

  /** Legs that were charged and given back because another refused. */
  long givenBack();

  /** Times that a bucket followed later versions of records than were known. */
  long outdated();

  /** Look-ups of stored configuration. */
  long lookUps();

  /** Times that no thread for a further bucket was free. */
  long legThreadsBusy();

  /** Times that this process changed how many shards a bucket should have. */
  long resized();

  /** Shards that this process split in two. */
  long splits();

  /** Doublings and splits left to later because of the bound per second. */
  long divisionsPostponed();

  /** Shards that this process merged into another. */
  long merges();

  /** Requests taken from several shards at once. */
  long wide();

  /** Requests refused although all shards together held enough. */
  long leftElsewhere();

  /** Most shards that a bucket was found to have, 1 for none. */
  long mostShards();

  /**
   * Calls that the store turned away because of the table as a whole, or for a reason it did not
   * tell.
   */
  long throttled();

  /** Calls that the store turned away because one key was used too hard. */
  long hotKeys();

  /** Reads of the store. */
  long storeReads();

  /** Writes of the store, applied or not. */
  long storeWrites();

  /** Read units spent. */
  double readUnits();

  /** Write units of the table spent. */
  double writeUnits();

  /** Write units of its indexes spent. */
  double indexWriteUnits();

  /** Times that a listener threw. */
  long listenerFailures();

  /** Times that the store was found to be away. */
  long storeAbsences();

  /**
   * Limiters that find the store away at this moment, so that their calls fail at once: 1 or 0 of a
   * limiter's own.
   */
  long storeAway();

  /** Look-ups that were not begun because too many were under way. */
  long lookUpsFull();

  /** Requests refused because what is stored is older than what a bucket follows. */
  long configsSetBack();

  /** Times that a write of a settlement failed and the limiter kept it. */
  long settlementsPostponed();

  /**
   * Settlements that the limiter had kept, or for which no caller waited, and that will not be
   * written.
   */
  long settlementsGivenUp();

  /** Buckets whose settlements wait for a write at this moment. */
  long settlementsPending();

  /** Writes that were not sent because their calls had made all that they may. */
  long writeBudgetsSpent();

  /** Times that no thread was free for work for which no caller waits. */
  long backgroundThreadsBusy();
}
