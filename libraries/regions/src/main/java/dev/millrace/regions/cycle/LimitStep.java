package dev.millrace.regions.cycle;

import dev.millrace.regions.allocation.Gift;
import dev.millrace.regions.ledger.LimitLedger;
import dev.millrace.regions.ledger.RowReceipt;
import java.util.List;

/**
 * The step of a region for one limit: all of it in one write, or nothing.
 *
 * @param ledger the ledger afterwards; its share determines the limit of the bucket
 * @param tokensMilli the change of the balance, before it is clipped at the new ceiling
 * @param gifts the gifts of the region
 * @param refusals rows of others that cannot be true
 */
public record LimitStep(
    LimitLedger ledger, long tokensMilli, List<Gift> gifts, List<RowReceipt.Refused> refusals) {
  /** Keeps copies. */
  public LimitStep {
    gifts = List.copyOf(gifts);
    refusals = List.copyOf(refusals);
  }

  /** A step that changes nothing. */
  public static LimitStep none(LimitLedger ledger) {
    return new LimitStep(ledger, 0, List.of(), List.of());
  }

  /** Whether there is anything to write, to a ledger that was {@code before}. */
  public boolean changes(LimitLedger before) {
    return !ledger.equals(before);
  }

  /** The balance afterwards, of one that was {@code balanceMilli}. */
  public long balanceMilli(long balanceMilli, long ceilingMilli) {
    return Math.min(balanceMilli + tokensMilli, ceilingMilli);
  }
}
