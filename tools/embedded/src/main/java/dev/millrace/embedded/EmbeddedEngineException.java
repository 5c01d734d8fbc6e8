package dev.millrace.embedded;

import org.jspecify.annotations.Nullable;

/** A failure to fetch, start or stop the engine; the message says what to do next. */
public final class EmbeddedEngineException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EmbeddedEngineException(String message) {
    super(message);
  }

  EmbeddedEngineException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Keeps the interrupt flag, since the caller of an unchecked method has no other sign of it. */
  static EmbeddedEngineException interrupted(String during, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new EmbeddedEngineException("Interrupted while " + during, cause);
  }
}
