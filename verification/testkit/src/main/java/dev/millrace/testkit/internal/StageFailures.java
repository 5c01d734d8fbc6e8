package dev.millrace.testkit.internal;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The failures of stages, as exceptions for a caller that waited. */
public final class StageFailures {
  private StageFailures() {}

  /** {@code cause} to be thrown, out of its wrappings where it is unchecked. */
  public static RuntimeException unchecked(@Nullable Throwable cause) {
    if (cause instanceof CompletionException wrapped && wrapped.getCause() != null) {
      return unchecked(wrapped.getCause());
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException bug ? bug : new IllegalStateException(cause);
  }
}
