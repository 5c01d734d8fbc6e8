package dev.millrace.simulator;

/** The clock of one machine: off by something, drifting, and set now and then. */
final class Clock {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long MILLION = 1_000_000;

  private final Loop loop;
  private final long epochMs;
  private final int driftPpm;
  private long offsetMs;
  private long setNanos = Long.MIN_VALUE;

  /**
   * A clock.
   *
   * @param epochMs the true time when the loop stands at 0
   * @param driftPpm how much too fast it goes, in millionths
   */
  Clock(Loop loop, long epochMs, long offsetMs, int driftPpm) {
    this.loop = loop;
    this.epochMs = epochMs;
    this.offsetMs = offsetMs;
    this.driftPpm = driftPpm;
  }

  /** What it shows, epoch milliseconds. */
  long nowMs() {
    return epochMs + elapsedMs() + offsetMs;
  }

  /** Milliseconds since the loop stood at 0, as this machine counts them. */
  long elapsedMs() {
    long nanos = loop.nowNanos();
    return (nanos + nanos / MILLION * driftPpm) / NANOS_PER_MS;
  }

  /** Somebody sets it. */
  void jump(long byMs) {
    offsetMs += byMs;
    setNanos = loop.nowNanos();
  }

  /** When somebody last set it. */
  long setNanos() {
    return setNanos;
  }

  /** By how much it is ahead of true time. */
  long aheadMs() {
    return nowMs() - epochMs - loop.nowNanos() / NANOS_PER_MS;
  }
}
