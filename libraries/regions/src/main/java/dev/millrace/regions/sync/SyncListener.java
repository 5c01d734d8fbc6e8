package dev.millrace.regions.sync;

import dev.millrace.regions.ledger.Receipt;
import dev.millrace.regions.snapshot.SnapshotReading;

/**
 * Hears what the exchange between regions does, for metrics, logs and tests. Called on the thread
 * that exchanges: be quick.
 */
public interface SyncListener {
  /** One that hears nothing. */
  SyncListener NONE = new SyncListener() {};

  /** The region holds another share of a limit now: bucket and ledger are changed. */
  default void onChanged(
      String entityId, String resource, String limit, int beforePpm, int afterPpm) {}

  /**
   * The others have evicted this region: from now on it refuses everything that it shared.
   *
   * @param by who says so; empty when this region's own table does
   */
  default void onEvicted(String by) {}

  /** The region is evicted, and enforces nothing of a pair any more. */
  default void onWithdrawn(String entityId, String resource) {}

  /** An operator has set limits for a pair by hand: they are left alone. */
  default void onOperators(String entityId, String resource) {}

  /**
   * Others wrote a bucket every time that its share was to be changed; the next window tries again.
   */
  default void onContended(String entityId, String resource) {}

  /** A row of another region could not be true, and changed nothing. */
  default void onRefusedRow(Receipt.Refused refused) {}

  /** A snapshot of another region is not believed, and changed nothing. */
  default void onRefusedSnapshot(String region, SnapshotReading.Refused refused) {}

  /** A pair could not be looked at; the others were. */
  default void onPairFailed(String entityId, String resource, RuntimeException failure) {}

  /** The snapshot of another region could not be had. */
  default void onPeerFailed(String region, String message) {}

  /** The region's own snapshot could not be published. */
  default void onPublishFailed(String message) {}
}
