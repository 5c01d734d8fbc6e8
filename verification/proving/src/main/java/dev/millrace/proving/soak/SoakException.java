package dev.millrace.proving.soak;

import org.jspecify.annotations.Nullable;

/** A soak could not be run to its end; says nothing about the ledger. */
public final class SoakException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SoakException(String message) {
    this(message, null);
  }

  SoakException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
