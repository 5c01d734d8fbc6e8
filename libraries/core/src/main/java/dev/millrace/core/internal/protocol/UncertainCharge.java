package dev.millrace.core.internal.protocol;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * A charge of a settlement whose write may have been made, and that could not be found out. The
 * process keeps it until the store answers, and then goes on with {@link SettleProtocol#resolve}:
 * the charge is there at least once then, and at most once too often.
 *
 * @param key the shard that it was written to
 * @param terms what held for the bucket
 * @param charges how much, none negative
 * @param op the id of the write that may have been made
 * @param transaction the transaction to send again under its token; null when a plain write was
 *     lost, which must not be sent again as it was
 * @param sentAtMs when that was first sent
 * @param failure how the last answer was lost
 */
public record UncertainCharge(
    BucketKey key,
    EffectiveLimits terms,
    Amounts charges,
    String op,
    StoreCall.@Nullable Transaction transaction,
    long sentAtMs,
    StoreFailure failure) {
  /** How long after the first time a transaction is sent again; DynamoDB knows it ten minutes. */
  public static final long TOKEN_VALID_MS = 5 * 60_000;

  /** Whether its transaction may be sent again: it counts once however often it is sent. */
  boolean isTokenValid(long nowMs) {
    long ageMs = nowMs - sentAtMs;
    return transaction != null && -TOKEN_VALID_MS < ageMs && ageMs < TOKEN_VALID_MS;
  }
}
