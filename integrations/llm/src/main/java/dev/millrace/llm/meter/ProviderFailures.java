package dev.millrace.llm.meter;

import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** The meaning of failures for the provider's state. */
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
