package dev.millrace.server;

import org.jspecify.annotations.Nullable;

/** A server could not be started; the message says why. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with its reason. */
  public ServerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
