package dev.millrace;

/**
 * The answer to {@code tryAcquire} and {@code tryAcquireAsync}: granted or refused, both values.
 */
public sealed interface Acquisition {
  /** Admitted; the lease must be ended. */
  record Granted(Lease lease) implements Acquisition {}

  /** Refused because the entity, an ancestor or the resource is switched off. */
  record Disabled(dev.millrace.DisabledBucket disabled) implements Acquisition {}

  /** Refused by a limit. */
  record Refused(Rejection rejection) implements Acquisition {}
}
