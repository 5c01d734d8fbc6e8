package dev.millrace.cli.services.worker;

import org.jspecify.annotations.Nullable;

/** The worker cannot be run; the message says why. */
final class WorkerException extends RuntimeException {
  WorkerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
