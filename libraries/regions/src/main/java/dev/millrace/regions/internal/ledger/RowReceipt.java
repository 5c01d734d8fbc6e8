package dev.millrace.regions.internal.ledger;

/** The result of applying a row that another region published. */
public sealed interface RowReceipt {
  /** It was new, and is credited once. */
  record Credited(LimitLedger.Change move) implements RowReceipt {}

  /** It was credited before. */
  record Duplicate() implements RowReceipt {}

  /** It cannot be true; nothing changes. */
  record Refused(Reason reason, String message) implements RowReceipt {}

  /** The reason why a row is refused. */
  enum Reason {
    /**
     * It is less than what was credited: its writer was restored from an old copy. Or it is an old
     * row, and this region lost the later one in a restart.
     */
    SHRUNK,
    /**
     * Another region has credited more than this region records as given: one was restored from an
     * old copy.
     */
    FORGOTTEN,
    /** The region would hold more than the whole. */
    BEYOND_WHOLE,
    /** Its writer is being evicted, or was. */
    SEALED
  }
}
