package dev.millrace;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limiter is set up in a way that cannot work: no table, no permission, a client that resends.
 */
public final class LimiterConfigurationException extends MillraceException {
  private static final long serialVersionUID = 1L;

  /** An exception with a static message and what varies. */
  public LimiterConfigurationException(
      String summary, Map<String, ?> attributes, @Nullable Throwable cause) {
    super(summary, attributes, cause);
  }
}
