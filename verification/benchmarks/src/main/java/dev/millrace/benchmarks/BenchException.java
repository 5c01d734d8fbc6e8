package dev.millrace.benchmarks;

import org.jspecify.annotations.Nullable;

/** A run could not be made; the message says what to do. */
public final class BenchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a message for people. */
  public BenchException(String message) {
    this(message, null);
  }

  /** With a message for people, and what was behind it. */
  public BenchException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
