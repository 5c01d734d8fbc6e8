package dev.millrace.testkit.internal.model;

/** The throughput that is left to one partition, as a bucket of reads and a bucket of writes. */
public final class PartitionThroughput {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double maxReadUnits;
  private final double maxWriteUnits;
  private final PartitionLimits limits;
  private double writeUnits;
  private double readUnits;
  private long filledAtNanos;

  /** A partition that was not used for as long as counts. */
  public PartitionThroughput(PartitionLimits limits, long nowNanos) {
    this.limits = limits;
    this.maxReadUnits = (double) limits.readUnitsPerSecond() * limits.burstSeconds();
    this.maxWriteUnits = (double) limits.writeUnitsPerSecond() * limits.burstSeconds();
    this.writeUnits = maxWriteUnits;
    this.readUnits = maxReadUnits;
    this.filledAtNanos = nowNanos;
  }

  /** Takes both or neither. What is more than the partition ever has needs all that it has. */
  public synchronized boolean take(Units units, long nowNanos) {
    fill(nowNanos);
    if (readUnits < Math.min(units.read(), maxReadUnits)
        || writeUnits < Math.min(units.write(), maxWriteUnits)) {
      return false;
    }
    readUnits -= units.read();
    writeUnits -= units.write();
    return true;
  }

  /** Undoes a {@link #take}. */
  public synchronized void giveBack(Units units) {
    readUnits += units.read();
    writeUnits += units.write();
  }

  private void fill(long nowNanos) {
    if (nowNanos - filledAtNanos <= 0) {
      return; // callers do not come in the order in which they looked at the time
    }
    double seconds = (nowNanos - filledAtNanos) / NANOS_PER_SECOND;
    filledAtNanos = nowNanos;
    writeUnits = Math.min(writeUnits + seconds * limits.writeUnitsPerSecond(), maxWriteUnits);
    readUnits = Math.min(readUnits + seconds * limits.readUnitsPerSecond(), maxReadUnits);
  }

  /** What a call needs of one partition. */
  public record Units(double read, double write) {
    Units plus(Units other) {
      return new Units(read + other.read, write + other.write);
    }
  }
}
