package dev.millrace.llm.meter;

/** What a call that took too long is charged: nobody knows what the provider did. */
public enum OnTimeout {
  /** The input, and what was received of the output. */
  CHARGE_RECEIVED,
  /** What was reserved, or what was received when that is more. */
  KEEP_RESERVATION
}
