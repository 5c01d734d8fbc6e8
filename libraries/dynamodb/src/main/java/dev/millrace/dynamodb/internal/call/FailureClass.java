package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;

/** The class of a failure: its kind, and whether the call may have had an effect. */
enum FailureClass {
  THROTTLED(StoreFailure.Kind.THROTTLED, true),
  HOT_KEY(StoreFailure.Kind.HOT_KEY, true),
  CONFLICT(StoreFailure.Kind.CONFLICT, true),
  UNREACHABLE(StoreFailure.Kind.UNREACHABLE, true),
  NO_CREDENTIALS(StoreFailure.Kind.NO_CREDENTIALS, true),
  TIMED_OUT(StoreFailure.Kind.TIMED_OUT, false),
  BROKEN(StoreFailure.Kind.BROKEN, false),
  INTERRUPTED(StoreFailure.Kind.INTERRUPTED, false);

  private final StoreFailure.Kind kind;
  private final boolean surelyWithoutEffect;

  FailureClass(StoreFailure.Kind kind, boolean surelyWithoutEffect) {
    this.kind = kind;
    this.surelyWithoutEffect = surelyWithoutEffect;
  }

  StoreFailure.Kind kind() {
    return kind;
  }

  /** Whether a write surely was not made, so that it may be sent again. */
  boolean isSurelyWithoutEffect() {
    return surelyWithoutEffect;
  }
}
