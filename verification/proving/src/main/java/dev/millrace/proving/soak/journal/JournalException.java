package dev.millrace.proving.soak.journal;

import org.jspecify.annotations.Nullable;

/** A journal cannot be read or written. */
public final class JournalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  JournalException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
