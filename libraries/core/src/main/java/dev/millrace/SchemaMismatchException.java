package dev.millrace;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table holds a schema that this version does not understand. */
public final class SchemaMismatchException extends MillraceException {
  private static final long serialVersionUID = 1L;

  /** An exception with a static message and what varies. */
  public SchemaMismatchException(
      String summary, Map<String, ?> attributes, @Nullable Throwable cause) {
    super(summary, attributes, cause);
  }
}
