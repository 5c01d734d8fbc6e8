package dev.millrace.core.store;

/**
 * What one call cost, in the units that the store bills, and the time that the store's clock said.
 *
 * @param readUnits read units
 * @param writeUnits write units of the table
 * @param indexWriteUnits write units of its indexes
 * @param storeTimeMs the store's time with a resolution of a second, or {@link #NO_TIME}
 */
public record Receipt(
    double readUnits, double writeUnits, double indexWriteUnits, long storeTimeMs) {
  /** The store did not say what time it is. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** Nothing is known to have been spent. */
  public static final Receipt NONE = new Receipt(0, 0, 0, NO_TIME);
}
