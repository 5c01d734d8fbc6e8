package dev.millrace.proving.soak.journal;

/** What a caller was told. */
public enum OperationOutcome {
  /** Admitted, and charged everywhere. */
  GRANTED,
  /** Admitted because the store was away; what was charged, and where, the caller is not told. */
  DEGRADED,
  /** Refused by a limit. */
  REFUSED,
  /** The store was away; surely nothing was charged. */
  UNCHARGED,
  /** The store was away, and may have charged. */
  UNSURE,
  /** Settled, given back, or accepted to be so within the delay that was agreed. */
  SETTLED,
  /** Could not be settled or given back; it may have been all the same. */
  UNSETTLED
}
