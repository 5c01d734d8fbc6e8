package dev.millrace.core.spi.directory;

/** One change of one record within a transaction. */
public sealed interface RecordChange {
  /** Which record. */
  RecordKey key();

  /**
   * Writes a record.
   *
   * @param record as it shall be; an entity's children stay as they are stored
   * @param expectedVersion the version that must be there, {@link #ABSENT} for none
   */
  record Put(StoredRecord record, long expectedVersion) implements RecordChange {
    /** There must be no such record. */
    public static final long ABSENT = 0;

    @Override
    public RecordKey key() {
      return record.key();
    }
  }

  /**
   * Deletes a record; an entity only when it has no children.
   *
   * @param expectedVersion the version that must be there
   */
  record Delete(RecordKey key, long expectedVersion) implements RecordChange {}

  /**
   * Counts the children of an entity, which must exist, and not below zero. The version stays: what
   * holds for the entity itself does not change.
   *
   * @param delta how many more, or how many less
   * @param expectedVersion the version that must be there, {@link #ANY} for whichever. A record can
   *     be named only once in a transaction, so this cannot be a {@link Check} beside it
   */
  record AddChildren(RecordKey.Entity key, long delta, long expectedVersion)
      implements RecordChange {
    /** Whichever version is there. */
    public static final long ANY = 0;

    /** Counts, whichever version is there. */
    public AddChildren(RecordKey.Entity key, long delta) {
      this(key, delta, ANY);
    }
  }

  /**
   * Demands that a record is there with this version, and leaves it as it is.
   *
   * @param expectedVersion the version that must be there
   */
  record Check(RecordKey key, long expectedVersion) implements RecordChange {}
}
