package dev.millrace.testkit.internal.history;

import org.jspecify.annotations.Nullable;

/**
 * A call of one object, and its answer. Times are those of one clock for all operations of a
 * history.
 *
 * @param who who asked
 * @param invokedNanos when, read before the object could know of it
 * @param returnedNanos when the answer was in, or when the caller gave up
 * @param asked what was asked; two that are equal have the same effect
 * @param answered the answer, null when it is not known: then the operation may take effect at any
 *     time after it was invoked, also after its caller gave up, or never
 */
public record Operation<Q, A>(
    CallerId who, long invokedNanos, long returnedNanos, Q asked, @Nullable A answered) {
  /** Time does not run backwards. */
  public Operation {
    if (returnedNanos < invokedNanos) {
      throw new IllegalArgumentException(
          "returned at " + returnedNanos + " ns, before it was invoked at " + invokedNanos);
    }
  }

  /** Whether nobody knows what became of it. */
  public boolean isUnknown() {
    return answered == null;
  }

  /** How long it took. */
  public long tookNanos() {
    return returnedNanos - invokedNanos;
  }

  /** Whether there was a moment at which both were under way. */
  public boolean overlaps(Operation<?, ?> other) {
    return invokedNanos <= other.returnedNanos && other.invokedNanos <= returnedNanos;
  }
}
