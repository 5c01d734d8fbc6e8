package dev.millrace.regions.ledger;

/** What became of a row that another region published. */
public sealed interface Receipt {
  /** It had something new, which is credited once. */
  record Credited(Move move) implements Receipt {}

  /** All of it has been credited before. */
  record Nothing() implements Receipt {}

  /** It cannot be true; nothing changes. */
  record Refused(Reason reason, String message) implements Receipt {}

  /** Why a row is refused. */
  enum Reason {
    /**
     * It is less than what was credited: its writer has lost its memory. Or it is old, and this
     * region has forgotten in a restart that it had seen a later one.
     */
    SHRUNK,
    /** Another one has credited more than this region knows to have given: it lost its memory. */
    FORGOTTEN,
    /** The region would hold more than there is. */
    BEYOND_WHOLE,
    /** Its writer is being evicted, or was. */
    SEALED
  }
}
