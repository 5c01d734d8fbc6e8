package dev.millrace.regions.internal.snapshot;

/** The numbers of the format; docs/guide/regions.md shows it byte by byte. */
public final class SnapshotFormat {
  /** The version that is written, and the latest that is read. */
  public static final int VERSION = 1;

  /** Most bytes of the JSON text. */
  public static final long MAX_RAW_BYTES = 256L << 20;

  /** Most bytes of the object. */
  public static final long MAX_GZIPPED_BYTES = 64L << 20;

  /** Most rows: a million pairs with four limits. */
  public static final int MAX_ROWS = 4_000_000;

  /** Most rows in one group of an entity; more are in a further group. */
  public static final int MAX_GROUP = 1_024;

  /**
   * Most names of each kind that are referred to by number; later ones are written in full each
   * time.
   */
  public static final int MAX_NUMBERED = 65_536;

  /** Most evictions in a header. */
  public static final int MAX_SEALS = 32;

  /** Longest text. */
  static final int MAX_TEXT = 256;

  /** Deepest nesting: the object, its entities, an entity, a column, a definition. */
  static final int MAX_DEPTH = 5;

  /** Longest number: a sign and 64 bits. */
  static final int MAX_NUMBER = 20;

  static final int GAVE = 0;
  static final int GOT = 1;

  private SnapshotFormat() {}

  /** The name of the object of {@code region}, below any prefix. */
  public static String objectName(String region) {
    return region + "/snapshot.json";
  }
}
