package dev.millrace.worker.kcl;

/** Hears what becomes of the shards of this worker. Called on KCL's threads: be quick. */
public interface StreamListener {
  /** Tells both of them, of each event {@code first} first. */
  static StreamListener both(StreamListener first, StreamListener second) {
    return new StreamListener() {
      @Override
      public void onShardTaken(String shard) {
        first.onShardTaken(shard);
        second.onShardTaken(shard);
      }

      @Override
      public void onShardLeft(String shard) {
        first.onShardLeft(shard);
        second.onShardLeft(shard);
      }

      @Override
      public void onRead(String shard, int records, long lastCreatedAtMs) {
        first.onRead(shard, records, lastCreatedAtMs);
        second.onRead(shard, records, lastCreatedAtMs);
      }

      @Override
      public void onRetry(String shard, int attempt, Throwable failure) {
        first.onRetry(shard, attempt, failure);
        second.onRetry(shard, attempt, failure);
      }

      @Override
      public void onGivenUp(String shard, Throwable failure) {
        first.onGivenUp(shard, failure);
        second.onGivenUp(shard, failure);
      }
    };
  }

  /** This worker reads {@code shard} from now on. */
  default void onShardTaken(String shard) {}

  /** This worker does not read {@code shard} any more: it has ended, or another worker has it. */
  default void onShardLeft(String shard) {}

  /**
   * Everything that a read of {@code shard} brought is processed; often that is nothing.
   *
   * @param records how many
   * @param lastCreatedAtMs when the last of them was made, 0 when there was none
   */
  default void onRead(String shard, int records, long lastCreatedAtMs) {}

  /** A batch of {@code shard} failed and is tried again. */
  default void onRetry(String shard, int attempt, Throwable failure) {}

  /** A batch of {@code shard} failed too often: nothing of it is lost, and the worker must end. */
  default void onGivenUp(String shard, Throwable failure) {}
}
