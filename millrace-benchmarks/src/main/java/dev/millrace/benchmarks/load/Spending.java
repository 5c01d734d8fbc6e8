package dev.millrace.benchmarks.load;

import dev.millrace.client.LimiterMetrics;

/** What limiters have asked of the store. */
public record Spending(long reads, long writes, double readUnits, double writeUnits) {
  /** Nothing yet. */
  public static final Spending NONE = new Spending(0, 0, 0, 0);

  /** What one limiter has spent; units of indexes count too. */
  public static Spending of(LimiterMetrics.Snapshot metrics) {
    return new Spending(
        metrics.storeReads(),
        metrics.storeWrites(),
        metrics.readUnits(),
        metrics.writeUnits() + metrics.indexWriteUnits());
  }

  /** Both together. */
  public Spending plus(Spending other) {
    return new Spending(
        reads + other.reads,
        writes + other.writes,
        readUnits + other.readUnits,
        writeUnits + other.writeUnits);
  }

  /** What came after {@code earlier}. */
  public Spending minus(Spending earlier) {
    return new Spending(
        reads - earlier.reads,
        writes - earlier.writes,
        readUnits - earlier.readUnits,
        writeUnits - earlier.writeUnits);
  }
}
