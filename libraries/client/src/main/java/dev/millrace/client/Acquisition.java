package dev.millrace.client;

import dev.millrace.core.decision.Rejection;

/**
 * The answer to {@code tryAcquire} and {@code tryAcquireAsync}: granted or refused, both values.
 */
public sealed interface Acquisition {
  /** Admitted; the lease must be ended. */
  record Granted(Lease lease) implements Acquisition {}

  /** Refused because the entity, an ancestor or the resource is switched off. */
  record Disabled(dev.millrace.core.decision.DisabledBucket disabled) implements Acquisition {}

  /** Refused by a limit. */
  record Refused(Rejection rejection) implements Acquisition {}
}
