package dev.millrace.simulator;

import dev.millrace.Settlement;
import dev.millrace.Sharding;

/**
 * A machine with one process.
 *
 * @param port how its callers come to the store
 * @param clockOffsetMs how wrong its clock is
 * @param driftPpm how much too fast its clock goes, in millionths
 * @param sharding how far it divides buckets, and when
 * @param maxMirrors most buckets that it remembers
 * @param listenerFailures how many of a thousand calls of a listener of its throw
 * @param restored whether it was restored from the snapshot that all such processes have in common
 */
public record NodeSpec(
    String name,
    Port port,
    long clockOffsetMs,
    int driftPpm,
    boolean prefetch,
    Settlement settlement,
    boolean allow,
    boolean grouping,
    int maxQueued,
    int maxWaiters,
    int maxLegThreads,
    long timeoutMs,
    long mirrorAgeMs,
    Sharding sharding,
    int maxMirrors,
    int listenerFailures,
    boolean restored) {
  /** Which halves of the store a process has. */
  public enum Port {
    /** Both: callers of both sorts share everything. */
    BOTH,
    /** Only the blocking one: further buckets are written by helper threads. */
    BLOCKING,
    /** Only the asynchronous one. */
    ASYNC
  }

  /** More buckets than any history has. */
  static final int ALL_MIRRORS = 100_000;

  /** More than are ever asked for in a second. */
  static final int FREE_WIDE = 10_000;

  /** Conversations of which one answer may consist, each with its own time limit. */
  private static final int MAX_CONVERSATIONS = 12;

  /** Whether it takes from as many shards as need be, whenever need be. */
  boolean isWideFree() {
    return sharding.wideShards() == Sharding.MAX_SHARDS && sharding.widePerSecond() >= FREE_WIDE;
  }

  /** How long an answer to who does not wait may take. */
  long longestAnswerMs() {
    return MAX_CONVERSATIONS * timeoutMs;
  }
}
