package dev.millrace.dynamodb.admin.migration;

/**
 * Hears how far a migration is, after every page, from the threads that read them. Whatever it
 * throws ends the migration there; it can be resumed.
 */
@FunctionalInterface
public interface MigrationProgress {
  /** Nobody listens. */
  MigrationProgress NONE = (pass, examined, expected, changed) -> {};

  /**
   * A page is done.
   *
   * @param pass what is being done
   * @param examined how many items of the table were looked at in this pass
   * @param expected how many there are, as DynamoDB last counted; it counts every six hours
   * @param changed how many transactions were made in this pass
   */
  void at(MigrationPass pass, long examined, long expected, long changed);
}
