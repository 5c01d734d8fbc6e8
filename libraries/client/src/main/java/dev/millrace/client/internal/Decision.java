package dev.millrace.client.internal;

import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.core.decision.Disabled;
import dev.millrace.core.decision.Refusal;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterUnavailableException;

/** What became of an acquire, before it is dressed as a blocking or asynchronous answer. */
sealed interface Decision {
  record Granted(LeaseLedger ledger) implements Decision {}

  record Refused(Rejection rejection) implements Decision {}

  record Off(Disabled disabled) implements Decision {}

  record Failed(LimiterUnavailableException exception) implements Decision {}

  /** A refusal as a decision. */
  static Decision of(Refusal refusal) {
    return refusal instanceof Disabled disabled
        ? new Off(disabled)
        : new Refused((Rejection) refusal);
  }

  /** The decision about a request of which the bucket of {@code leg} is switched off. */
  static Decision off(Leg leg) {
    return new Off(new Disabled(leg.key().entityId(), leg.key().resource()));
  }
}
