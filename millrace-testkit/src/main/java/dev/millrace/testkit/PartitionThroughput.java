package dev.millrace.testkit;

/** What one partition has left to give, as a bucket of reads and a bucket of writes. */
final class PartitionThroughput {
  private static final double NANOS_PER_SECOND = 1e9;

  private final PartitionLimits limits;
  private double writeUnits;
  private double readUnits;
  private long filledAtNanos;

  /** A partition that was not used for as long as counts. */
  PartitionThroughput(PartitionLimits limits, long nowNanos) {
    this.limits = limits;
    this.writeUnits = (double) limits.writeUnitsPerSecond() * limits.burstSeconds();
    this.readUnits = (double) limits.readUnitsPerSecond() * limits.burstSeconds();
    this.filledAtNanos = nowNanos;
  }

  synchronized boolean takeWrite(long nowNanos) {
    fill(nowNanos);
    if (writeUnits < 1) {
      return false;
    }
    writeUnits--;
    return true;
  }

  synchronized boolean takeRead(long nowNanos) {
    fill(nowNanos);
    if (readUnits < 1) {
      return false;
    }
    readUnits--;
    return true;
  }

  private void fill(long nowNanos) {
    double seconds = Math.max(0, nowNanos - filledAtNanos) / NANOS_PER_SECOND;
    filledAtNanos = nowNanos;
    double burst = limits.burstSeconds();
    writeUnits =
        Math.min(
            writeUnits + seconds * limits.writeUnitsPerSecond(),
            limits.writeUnitsPerSecond() * burst);
    readUnits =
        Math.min(
            readUnits + seconds * limits.readUnitsPerSecond(), limits.readUnitsPerSecond() * burst);
  }
}
