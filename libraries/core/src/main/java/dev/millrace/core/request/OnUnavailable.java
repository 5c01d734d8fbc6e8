package dev.millrace.core.request;

/** What a limiter answers when its store cannot be reached. */
public enum OnUnavailable {
  /** Refuse: nothing is admitted that was not charged. */
  BLOCK,
  /** Admit with a degraded lease that says so: better unlimited than down. */
  ALLOW
}
