package dev.millrace.regions.sync;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.regions.cycle.LimitStep;
import dev.millrace.regions.ledger.GlobalLimit;
import dev.millrace.regions.ledger.LimitLedger;

/**
 * One limit of a pair: the region's holding, and its step in this window.
 *
 * @param ledger as it is stored
 * @param isVoid whether the region is evicted: others have divided what the ledger says
 */
record HeldLimit(GlobalLimit limit, LimitLedger ledger, LimitStep step, boolean isVoid) {
  String name() {
    return limit.whole().name();
  }

  /** The limit that the region may enforce. */
  int enforcedPpm() {
    return isVoid ? 0 : ledger.sharePpm();
  }

  /**
   * The balance of a bucket that was full after the step, before it is clipped at its new ceiling.
   */
  long movedMilli() {
    return SaturatedMath.add(limit.ceilingMilli(ledger.sharePpm()), step.tokensMilli());
  }

  boolean changes() {
    return !step.ledger().equals(ledger);
  }

  /** The same once the step is done. */
  HeldLimit done() {
    return new HeldLimit(limit, step.ledger(), step, isVoid);
  }
}
