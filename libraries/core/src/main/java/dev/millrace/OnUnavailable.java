package dev.millrace;

/** The answer of a limiter whose store cannot be reached. */
public enum OnUnavailable {
  /** Refuse: nothing is admitted that was not charged. */
  BLOCK,
  /** Admit with a degraded lease that says so: better unlimited than down. */
  ALLOW
}
