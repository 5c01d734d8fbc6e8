package dev.millrace.adapters.call;

import org.jspecify.annotations.Nullable;

/**
 * A function that may throw.
 *
 * @param <T> its result
 * @param <X> its exception
 */
@FunctionalInterface
public interface CheckedCall<T extends @Nullable Object, X extends Exception> {
  /** Runs it. */
  T run() throws X;
}
