package dev.millrace.server;

/** Thrown when a server cannot be started; the message has the reason. */
public final class ServerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
