package dev.millrace.worker.kcl;

import org.jspecify.annotations.Nullable;

/** The stream cannot be read. The message says what to do about it, as far as is known. */
public final class StreamException extends RuntimeException {
  /** With what is known. */
  public StreamException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
