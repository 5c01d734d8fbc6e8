package dev.millrace.dynamodb.admin.migration;

/**
 * The options of a migration.
 *
 * @param segments how many parts of the table are read at the same time
 * @param pageSize how many items are read at once
 * @param unitsPerSecond most capacity units a second, read and written together
 * @param resume whether to go on where a migration that was interrupted has come to
 * @param cleanUp whether to take away what was carried over, and to say that nothing older is left
 */
public record MigrationOptions(
    int segments, int pageSize, int unitsPerSecond, boolean resume, boolean cleanUp) {
  /** Most segments: each has a thread. */
  public static final int MAX_SEGMENTS = 32;

  /** Largest page. */
  public static final int MAX_PAGE = 1_000;

  /** Fastest. */
  public static final int MAX_UNITS_PER_SECOND = 1_000_000;

  private static final MigrationOptions DEFAULTS =
      new MigrationOptions(
          /* segments= */ 4,
          /* pageSize= */ 200,
          /* unitsPerSecond= */ 500,
          /* resume= */ false,
          /* cleanUp= */ false);

  public MigrationOptions {
    require("segments", segments, MAX_SEGMENTS);
    require("page size", pageSize, MAX_PAGE);
    require("units per second", unitsPerSecond, MAX_UNITS_PER_SECOND);
  }

  private static void require(String what, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(what + " " + value + " must be from 1 to " + most);
    }
  }

  /** Four segments, 500 units a second, from the beginning, without cleaning up. */
  public static MigrationOptions defaults() {
    return DEFAULTS;
  }

  /** The same with so many segments. */
  public MigrationOptions withSegments(int many) {
    return new MigrationOptions(many, pageSize, unitsPerSecond, resume, cleanUp);
  }

  /** The same with pages of another size. */
  public MigrationOptions withPageSize(int size) {
    return new MigrationOptions(segments, size, unitsPerSecond, resume, cleanUp);
  }

  /** The same at another pace. */
  public MigrationOptions withUnitsPerSecond(int units) {
    return new MigrationOptions(segments, pageSize, units, resume, cleanUp);
  }

  /** The same, going on where it was. */
  public MigrationOptions resuming() {
    return new MigrationOptions(segments, pageSize, unitsPerSecond, true, cleanUp);
  }

  /** The same, cleaning up in the end. */
  public MigrationOptions cleaningUp() {
    return new MigrationOptions(segments, pageSize, unitsPerSecond, resume, true);
  }
}
