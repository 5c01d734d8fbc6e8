package dev.millrace.llm;

/** The charge of a call that timed out: the provider's work is unknown. */
public enum OnTimeout {
  /** The input, and the received output. */
  CHARGE_RECEIVED,
  /** The reservation, or the received output when that is more. */
  KEEP_RESERVATION
}
