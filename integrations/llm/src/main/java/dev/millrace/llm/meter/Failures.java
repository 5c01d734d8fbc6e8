package dev.millrace.llm.meter;

import java.net.SocketTimeoutException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** What a failure says about what the provider did. */
final class Failures {
  /** Deepest cause that is looked at: causes may form a ring. */
  private static final int MAX_CAUSES = 16;

  private Failures() {}

  /** What failed, without what futures wrap around it. */
  static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /**
   * Whether the provider may be at work still. Libraries have time-outs of their own, which need
   * not be ours to know: they are told by their names. Who could not even connect has asked
   * nothing.
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
