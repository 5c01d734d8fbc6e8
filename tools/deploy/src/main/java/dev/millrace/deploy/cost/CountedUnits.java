package dev.millrace.deploy.cost;

/**
 * The cost of operations in units, as the tests count them: {@code CostIT} and {@code
 * HierarchyCostIT} compare the table of {@code docs/operate/cost.md} with what DynamoDB reports,
 * and a test compares these numbers with that table.
 */
final class CountedUnits {
  /** Write units of a warm acquire, and of a settlement with an adjust, for an item of 1,024 B. */
  static final double WRITE = 1;

  /** Write units of the indexes when a bucket is made. */
  static final double INDEX_WRITES_AT_CREATION = 2;

  /** Read units of the first look at a bucket. */
  static final double FIRST_LOOK = 1;

  /** Read units of a refusal on a state older than a second. */
  static final double OLD_REFUSAL = 1;

  /** A bucket in a transaction costs so many times as much. */
  static final double TRANSACTION = 2;

  /** Most records that are looked up once a minute, entity and process. */
  static final double LOOKED_UP = 7;

  /** Read units of each of them. */
  static final double LOOK_UP = 0.5;

  /** Writes of usage for 1,000 records in batches of 100, three windows, 10,000 entities. */
  static final double USAGE_WRITES_BY_100 = 2_227;

  /** The same in batches of 1,000. */
  static final double USAGE_WRITES_BY_1000 = 1_531;

  /** Windows that usage is counted in, without zones. */
  static final int WINDOWS = 3;

  /** Items that a region reads of each shared pair in each window: configuration and bucket. */
  static final double SYNC_READS = 2;

  /** Bytes of a snapshot for each shared pair with two limits, gzipped. */
  static final double SNAPSHOT_BYTES = 272_311.0 / 20_000;

  private CountedUnits() {}

  /** Bytes of a bucket, in characters of its names; docs/operate/operations.md has the formula. */
  static double itemBytes(int namespace, int entityAndResource, double limits, int limitName) {
    return 149 + 3.0 * namespace + 4.0 * entityAndResource + limits * (35 + 4.0 * limitName);
  }

  /**
   * Writes of usage for 1,000 records in batches of a size, between those that were measured by the
   * logarithm of the size. A record that comes alone is written in each window.
   */
  static double usageWrites(double batch) {
    double alone = 1_000.0 * WINDOWS;
    if (batch <= 100) {
      return alone + (USAGE_WRITES_BY_100 - alone) * Math.log10(Math.max(1, batch)) / 2;
    }
    double beyond = Math.min(1, Math.log10(batch) - 2);
    return USAGE_WRITES_BY_100 + (USAGE_WRITES_BY_1000 - USAGE_WRITES_BY_100) * beyond;
  }

  /** Write units of an item of so many bytes. */
  static double writeUnits(double itemBytes) {
    return Math.ceil(itemBytes / 1_024);
  }
}
