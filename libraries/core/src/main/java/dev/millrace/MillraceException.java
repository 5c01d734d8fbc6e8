package dev.millrace;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something went wrong that is not a misuse. The message is static, so that failures can be counted
 * and grouped; what varies is in {@link #attributes()}.
 */
public class MillraceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String summary;
  private final transient Map<String, Object> attributes;

  /** An exception with a static message and what varies. */
  public MillraceException(String summary, Map<String, ?> attributes, @Nullable Throwable cause) {
    this(summary, attributes, cause, /* withStackTrace= */ true);
  }

  MillraceException(
      String summary,
      Map<String, ?> attributes,
      @Nullable Throwable cause,
      boolean withStackTrace) {
    super(
        attributes.isEmpty() ? summary : summary + " " + attributes,
        cause,
        /* enableSuppression= */ true,
        withStackTrace);
    this.summary = summary;
    this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /** The static part of the message. */
  public String summary() {
    return summary;
  }

  /** What varies, by name. */
  public Map<String, Object> attributes() {
    return attributes == null ? Map.of() : attributes;
  }
}
