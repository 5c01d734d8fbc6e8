package dev.millrace.dynamodb.admin.migration;

/** One way through the whole table. */
public enum MigrationPass {
  /** Looks what there is. */
  LOOK,
  /** Carries over. */
  CARRY_OVER,
  /** Compares what was carried over with today's buckets. */
  VERIFY,
  /** Takes the old items away. */
  CLEAN_UP
}
