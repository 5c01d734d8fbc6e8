package dev.millrace.client;

import dev.millrace.core.decision.Rejection;

/** The answer to an asynchronous {@code tryAcquire}: granted or refused, both values. */
public sealed interface AsyncAcquisition {
  /** Admitted; the lease must be ended. */
  record Granted(AsyncLease lease) implements AsyncAcquisition {}

  /** Refused because the entity, an ancestor or the resource is switched off. */
  record Disabled(dev.millrace.core.decision.Disabled disabled) implements AsyncAcquisition {}

  /** Refused by a limit. */
  record Refused(Rejection rejection) implements AsyncAcquisition {}
}
