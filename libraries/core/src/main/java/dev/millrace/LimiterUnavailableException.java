package dev.millrace;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached, or its answer did not arrive in time, and the policy is BLOCK.
 */
public final class LimiterUnavailableException extends MillraceException {
  private static final long serialVersionUID = 1L;

  /** An exception with a static message and what varies. */
  public LimiterUnavailableException(
      String summary, Map<String, ?> attributes, @Nullable Throwable cause) {
    super(summary, attributes, cause);
  }
}
