package dev.millrace.worker;

import org.jspecify.annotations.Nullable;

/** A stream that cannot be read, or dead letters that cannot be replayed; the message says why. */
public final class WorkerException extends RuntimeException {
  /** With the reason, and what to do about it as far as is known. */
  public WorkerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
