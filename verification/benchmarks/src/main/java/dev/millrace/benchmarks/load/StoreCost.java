package dev.millrace.benchmarks.load;

/**
 * What limiters have asked of the store.
 *
 * @param reads buckets read
 * @param lookUps round trips for stored configuration, which come once a minute whatever the load
 * @param writes buckets written, or that refused to be; each one of a transaction
 * @param throttled those of the writes that the store throttled
 * @param readUnits units of the reads
 * @param lookUpUnits read units of the look-ups
 * @param writeUnits units of the writes, those of indexes included
 */
public record StoreCost(
    long reads,
    long lookUps,
    long writes,
    long throttled,
    double readUnits,
    double lookUpUnits,
    double writeUnits) {
  /** Nothing yet. */
  public static final StoreCost NONE = new StoreCost(0, 0, 0, 0, 0, 0, 0);

  /** Both together. */
  public StoreCost plus(StoreCost other) {
    return new StoreCost(
        reads + other.reads,
        lookUps + other.lookUps,
        writes + other.writes,
        throttled + other.throttled,
        readUnits + other.readUnits,
        lookUpUnits + other.lookUpUnits,
        writeUnits + other.writeUnits);
  }

  /** What came after {@code earlier}. */
  public StoreCost minus(StoreCost earlier) {
    return new StoreCost(
        reads - earlier.reads,
        lookUps - earlier.lookUps,
        writes - earlier.writes,
        throttled - earlier.throttled,
        readUnits - earlier.readUnits,
        lookUpUnits - earlier.lookUpUnits,
        writeUnits - earlier.writeUnits);
  }
}
