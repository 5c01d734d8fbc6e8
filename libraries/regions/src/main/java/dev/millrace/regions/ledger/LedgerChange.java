package dev.millrace.regions.ledger;

/**
 * A change of a ledger with its effect on the bucket, which must happen in the same write: the
 * bucket gets the limit for the ledger's new share, after it was credited up to now at the old
 * rate, and its balance changes by {@code tokensMilli}.
 *
 * @param ledger the ledger afterwards
 * @param tokensMilli the change of the balance, before it is clipped at the new ceiling
 */
public record LedgerChange(LimitLedger ledger, long tokensMilli) {}
