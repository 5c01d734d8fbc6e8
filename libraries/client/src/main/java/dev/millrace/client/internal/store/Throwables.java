package dev.millrace.client.internal.store;

import java.util.concurrent.CompletionException;

/** What was thrown, without what futures wrap around it. */
public final class Throwables {
  private Throwables() {}

  public static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** For {@code throw}: store calls throw nothing that is checked. */
  public static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException(failure);
  }
}
