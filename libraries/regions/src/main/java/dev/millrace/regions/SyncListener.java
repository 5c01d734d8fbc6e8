package dev.millrace.regions;

/**
 * A receiver of the events of the exchange between regions, for metrics, logs and tests. Called on
 * the thread of the exchange: it must be quick.
 */
public interface SyncListener {
  /** A listener that ignores all events. */
  SyncListener NONE = new SyncListener() {};

  /** The share of the region of a limit has changed: bucket and ledger are changed. */
  default void onChanged(
      String entityId, String resource, String limit, int beforePpm, int afterPpm) {}

  /**
   * The others have evicted this region: from now on it refuses everything that it shared.
   *
   * @param by the region that published it; empty when this region's own table has it
   */
  default void onEvicted(String by) {}

  /** The region is evicted, and enforces nothing of a pair any more. */
  default void onWithdrawn(String entityId, String resource) {}

  /** An operator has set limits for a pair by hand: they are left alone. */
  default void onOperators(String entityId, String resource) {}

  /**
   * Concurrent writes prevented every attempt to change the share of a bucket; the next window
   * tries again.
   */
  default void onContended(String entityId, String resource) {}

  /** A row of another region is impossible, and changed nothing. */
  default void onRefusedRow(String reason, String message) {}

  /** A snapshot of another region is invalid, and changed nothing. */
  default void onRefusedSnapshot(String region, String reason, String message) {}

  /** A pair could not be examined; the others were. */
  default void onPairFailed(String entityId, String resource, RuntimeException failure) {}

  /** The snapshot of another region could not be read. */
  default void onPeerFailed(String region, String message) {}

  /** The region's own snapshot could not be published. */
  default void onPublishFailed(String message) {}
}
