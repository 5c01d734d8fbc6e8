package dev.millrace.dynamodb.client;

import dev.millrace.core.store.StoreFailure;

/**
 * What a failure says about the call.
 *
 * @param kind the sort of failure
 * @param surelyWithoutEffect whether a write surely was not made, and may be sent again
 */
record Outcome(StoreFailure.Kind kind, boolean surelyWithoutEffect) {
  static final Outcome THROTTLED = new Outcome(StoreFailure.Kind.THROTTLED, true);
  static final Outcome UNREACHABLE = new Outcome(StoreFailure.Kind.UNREACHABLE, true);
  static final Outcome TIMED_OUT = new Outcome(StoreFailure.Kind.TIMED_OUT, false);
  static final Outcome BROKEN = new Outcome(StoreFailure.Kind.BROKEN, false);
  static final Outcome INTERRUPTED = new Outcome(StoreFailure.Kind.INTERRUPTED, false);
}
