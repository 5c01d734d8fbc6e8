package dev.millrace.cli.demo;

import dev.millrace.core.store.Receipt;

/**
 * What calls to the store cost.
 *
 * @param roundTrips requests sent
 * @param readUnits read units
 * @param writeUnits write units of the table
 * @param indexWriteUnits write units of its indexes
 */
public record Units(int roundTrips, double readUnits, double writeUnits, double indexWriteUnits) {
  /** Nothing was asked of the store. */
  static final Units NONE = new Units(0, 0, 0, 0);

  /** One read. */
  static final Units ONE_READ = new Units(1, 1, 0, 0);

  /** One write, and no index: a warm acquire, or a settlement. */
  static final Units ONE_WRITE = new Units(1, 0, 1, 0);

  /** A read that finds no bucket, and its creation with the keys of two indexes. */
  static final Units CREATION = new Units(2, 1, 1, 2);

  Units plus(Receipt receipt) {
    return plus(new Units(1, receipt.readUnits(), receipt.writeUnits(), receipt.indexWriteUnits()));
  }

  Units plus(Units other) {
    return new Units(
        roundTrips + other.roundTrips,
        readUnits + other.readUnits,
        writeUnits + other.writeUnits,
        indexWriteUnits + other.indexWriteUnits);
  }
}
