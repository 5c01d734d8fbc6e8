package dev.millrace.testkit.internal.history;

import org.jspecify.annotations.Nullable;

/**
 * The sequential behaviour of an object: its answers when all calls come one after the other.
 *
 * @param <S> the states, which compare by value
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public interface Specification<S, Q, A> {
  /** The state before the first operation. */
  S initial();

  /**
   * The state after {@code operation}, or null when an object in {@code state} does not answer so.
   * Where the answer is not known, the state if it takes effect now.
   */
  @Nullable S after(S state, Operation<Q, A> operation);

  /**
   * The earliest moment at which {@code operation} may take effect. Where an answer may rest on
   * what was seen earlier, that is before it was invoked.
   */
  default long earliestNanos(Operation<Q, A> operation) {
    return operation.invokedNanos();
  }
}
