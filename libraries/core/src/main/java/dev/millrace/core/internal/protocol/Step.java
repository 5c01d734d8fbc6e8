package dev.millrace.core.internal.protocol;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.function.Function;

/**
 * The state of a conversation with a store: either it asks something, or it is done. A driver
 * performs the calls, blocking or not, and resumes with the answers; it alone knows threads and
 * clocks.
 */
public sealed interface Step<R> {
  /**
   * Asks.
   *
   * @param calls independent of each other: a driver may make them at the same time
   * @param next what follows from the answers
   */
  record Ask<R>(List<StoreCall> calls, Continuation<R> next) implements Step<R> {
    /** Asks a single thing. */
    public static <R> Ask<R> one(StoreCall call, SingleContinuation<R> next) {
      return new Ask<>(List.of(call), (replies, nowMs) -> next.resume(replies.get(0), nowMs));
    }
  }

  /** Is done. */
  record Done<R>(R result) implements Step<R> {}

  /** The conversation that goes on, after {@code step}, as {@code next} says. */
  static <A, B> Step<B> then(Step<A> step, Function<A, Step<B>> next) {
    if (step instanceof Ask<A> ask) {
      return new Ask<>(
          ask.calls(), (replies, nowMs) -> then(ask.next().resume(replies, nowMs), next));
    }
    return next.apply(((Done<A>) step).result());
  }

  /** The same conversation with its result passed through {@code function}. */
  static <A, B> Step<B> map(Step<A> step, Function<A, B> function) {
    return then(step, result -> new Done<>(function.apply(result)));
  }

  /** What follows from the answers. */
  @FunctionalInterface
  interface Continuation<R> {
    /**
     * The next step.
     *
     * @param replies in the order of the calls
     * @param nowMs when the answers were in
     */
    Step<R> resume(List<StoreReply> replies, long nowMs);
  }

  /** What follows from one answer. */
  @FunctionalInterface
  interface SingleContinuation<R> {
    /** The next step. */
    Step<R> resume(StoreReply reply, long nowMs);
  }
}
