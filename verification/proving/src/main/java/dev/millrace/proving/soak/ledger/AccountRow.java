package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.Account;

/**
 * The end of one account.
 *
 * @param countedMilli what the bucket counted
 * @param leastMilli what surely was charged
 * @param mostMilli what may have been charged
 * @param balanceMilli what is left
 * @param clippedMilli what it earned while it was full, and lost
 * @param roomMilli how near the fullest interval came to the bound on bursts
 */
public record AccountRow(
    Account account,
    long countedMilli,
    long leastMilli,
    long mostMilli,
    long balanceMilli,
    long clippedMilli,
    long roomMilli) {}
