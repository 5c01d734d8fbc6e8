package dev.millrace.worker.kcl;

import java.time.Duration;

/**
 * The settings by which workers share a stream.
 *
 * @param application what workers that share have in common: the name of the table with their
 *     leases
 * @param worker the name of this worker, no other's
 * @param failover the time without a heartbeat after which other workers take the shards of one
 * @param poll how long to wait between two reads of a shard
 * @param batchSize most records of one read
 * @param start the position to begin at in a stream without checkpoints
 */
public record StreamSettings(
    String application,
    String worker,
    Duration failover,
    Duration poll,
    int batchSize,
    Start start) {
  /** Most records that DynamoDB gives at once. */
  public static final int MAX_BATCH = 1_000;

  private static final Duration MIN_FAILOVER = Duration.ofSeconds(1);
  private static final Duration MAX_FAILOVER = Duration.ofMinutes(10);
  private static final Duration MIN_POLL = Duration.ofMillis(10);
  private static final Duration MAX_POLL = Duration.ofSeconds(30);
  private static final int MIN_NAME = 3;
  private static final int MAX_NAME = 220;

  /** The positions to begin at. */
  public enum Start {
    /** With the oldest record that the stream still has. */
    OLDEST,
    /** With what comes from now on. */
    LATEST
  }

  /** Checks the ranges. */
  public StreamSettings {
    if (application.length() < MIN_NAME || application.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "application '%s' must have from %d to %d characters"
              .formatted(application, MIN_NAME, MAX_NAME));
    }
    if (worker.isBlank()) {
      throw new IllegalArgumentException("worker must have a name");
    }
    requireBetween("failover", failover, MIN_FAILOVER, MAX_FAILOVER);
    requireBetween("poll", poll, MIN_POLL, MAX_POLL);
    if (batchSize < 1 || batchSize > MAX_BATCH) {
      throw new IllegalArgumentException(
          "batch size " + batchSize + " must be from 1 to " + MAX_BATCH);
    }
  }

  /** Ten seconds of silence, four reads a second, all that is there. */
  public static StreamSettings of(String application, String worker) {
    return new StreamSettings(
        application,
        worker,
        Duration.ofSeconds(10),
        Duration.ofMillis(250),
        MAX_BATCH,
        Start.OLDEST);
  }

  private static void requireBetween(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "%s %s must be from %s to %s".formatted(name, value, min, max));
    }
  }
}
