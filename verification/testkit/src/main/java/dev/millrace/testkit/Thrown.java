package dev.millrace.testkit;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Gives a caller that waited for a stage what the stage's maker threw. */
final class Thrown {
  private Thrown() {}

  /** {@code cause} to be thrown, out of its wrappings where it is unchecked. */
  static RuntimeException unchecked(@Nullable Throwable cause) {
    if (cause instanceof CompletionException wrapped && wrapped.getCause() != null) {
      return unchecked(wrapped.getCause());
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException bug ? bug : new IllegalStateException(cause);
  }
}
