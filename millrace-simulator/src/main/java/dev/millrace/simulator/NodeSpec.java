package dev.millrace.simulator;

import dev.millrace.core.request.Settlement;

/**
 * A machine with one process.
 *
 * @param port how its callers come to the store
 * @param clockOffsetMs how wrong its clock is
 * @param driftPpm how much too fast its clock goes, in millionths
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
    long mirrorAgeMs) {
  /** Which halves of the store a process has. */
  public enum Port {
    /** Both: callers of both sorts share everything. */
    BOTH,
    /** Only the blocking one: further buckets are written by helper threads. */
    BLOCKING,
    /** Only the asynchronous one. */
    ASYNC
  }

  /** Conversations of which one answer may consist, each with its own time limit. */
  private static final int MAX_CONVERSATIONS = 12;

  /** How long an answer to who does not wait may take. */
  long longestAnswerMs() {
    return MAX_CONVERSATIONS * timeoutMs;
  }
}
