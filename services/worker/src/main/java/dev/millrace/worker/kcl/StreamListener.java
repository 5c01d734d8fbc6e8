package dev.millrace.worker.kcl;

/** A listener to the shards of this worker. Called on KCL's threads: be quick. */
public interface StreamListener {
  /** This worker reads {@code shard} from now on. */
  default void onShardTaken(String shard) {}

  /** This worker does not read {@code shard} any more: it has ended, or another worker has it. */
  default void onShardLeft(String shard) {}

  /**
   * All records of a read of {@code shard} are processed; often there is none.
   *
   * @param lastCreatedAtMs the time of the last of them, 0 when there was none
   */
  default void onRead(String shard, int records, long lastCreatedAtMs) {}

  /** A batch of {@code shard} failed and is tried again. */
  default void onRetry(String shard, int attempt, Throwable failure) {}

  /** A batch of {@code shard} failed too often: nothing of it is lost, and the worker must end. */
  default void onGivenUp(String shard, Throwable failure) {}
}
