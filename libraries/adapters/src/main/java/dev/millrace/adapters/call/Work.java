package dev.millrace.adapters.call;

import org.jspecify.annotations.Nullable;

/**
 * Something to do that may fail.
 *
 * @param <T> what it returns
 * @param <X> what it throws
 */
@FunctionalInterface
public interface Work<T extends @Nullable Object, X extends Exception> {
  /** Does it. */
  T run() throws X;
}
