package dev.millrace.regions.internal.ledger;

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
    LimitLedger ledger,
    long tokensMilli,
    List<ShareAllocation.Transfer> gifts,
    List<RowReceipt.Refused> refusals) {
  public LimitStep {
    gifts = List.copyOf(gifts);
    refusals = List.copyOf(refusals);
  }

  public static LimitStep none(LimitLedger ledger) {
    return new LimitStep(ledger, 0, List.of(), List.of());
  }

  /** The balance afterwards, of one that was {@code balanceMilli}. */
  public long balanceMilli(long balanceMilli, long ceilingMilli) {
    return Math.min(balanceMilli + tokensMilli, ceilingMilli);
  }
}
