package dev.millrace.adapters;

import dev.millrace.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A function that adjusts a lease to the real cost of a call, given its result: {@code (lease,
 * answer) -> lease.adjust("tpm", answer.tokens() - 500)}.
 *
 * <p>When it throws, the work has been done all the same: the exception is logged, the charge stays
 * as estimated, and the caller gets the result.
 *
 * @param <T> the result of the call
 */
@FunctionalInterface
public interface CostSettler<T extends @Nullable Object> {
  /** Adjusts {@code lease}, which is closed afterwards. */
  void settle(Lease lease, T result);

  /** Leaves the charge as it is. */
  static <T extends @Nullable Object> CostSettler<T> asCharged() {
    return (lease, result) -> {};
  }

  /** {@link #settle}, and logs what it throws. */
  default void settleOrLog(Lease lease, T result) {
    try {
      settle(lease, result);
    } catch (RuntimeException e) {
      System.getLogger(CostSettler.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "a call was not settled, its charge stays as estimated: " + lease,
              e);
    }
  }
}
