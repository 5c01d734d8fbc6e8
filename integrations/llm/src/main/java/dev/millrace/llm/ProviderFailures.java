package dev.millrace.llm;

import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The failures of calls: the exception behind a future, and whether it is a time-out. */
final class ProviderFailures {
  /** Deepest cause that is examined: causes may form a ring. */
  private static final int MAX_CAUSES = 16;

  private ProviderFailures() {}

  /** The failure without the wrappers of futures. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Completes {@code result} with a value or with the failure behind the wrappers of futures. */
  static <T extends @Nullable Object> void complete(
      CompletableFuture<T> result, T value, @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(unwrapped(failure));
    }
  }

  /** The result of {@code stage}; throws its failure. */
  static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /**
   * Whether the provider may still be working. Libraries have time-out exceptions of their own,
   * which are not on our class path: they are recognised by their names. A failure to connect has
   * started nothing.
   */
  static boolean isTimeout(Throwable failure) {
    Throwable cause = failure;
    boolean timeout = false;
    for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
      if (cause instanceof HttpConnectTimeoutException) {
        return false;
      }
      timeout |=
          cause instanceof HttpTimeoutException
              || cause instanceof SocketTimeoutException
              || cause instanceof TimeoutException
              || cause.getClass().getSimpleName().endsWith("TimeoutException");
      cause = cause.getCause();
    }
    return timeout;
  }
}
