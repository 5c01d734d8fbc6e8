package dev.millrace.worker.letters;

import org.jspecify.annotations.Nullable;

/** A letter could not be replayed, and not because of what is in it. */
public final class ReplayException extends RuntimeException {
  /** With why. */
  public ReplayException(String message, @Nullable Throwable cause) {
    super(cause == null ? message : message + ": " + cause.getMessage(), cause);
  }
}
