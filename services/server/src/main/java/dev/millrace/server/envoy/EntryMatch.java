package dev.millrace.server.envoy;

import org.jspecify.annotations.Nullable;

/**
 * What one entry of a descriptor must be.
 *
 * @param key its key
 * @param value its value; what ends with {@code *} is a beginning, null is any
 */
public record EntryMatch(String key, @Nullable String value) {
  private static final String ANY_END = "*";

  /** Whether an entry is like this. */
  public boolean matches(String otherKey, String otherValue) {
    if (!key.equals(otherKey)) {
      return false;
    }
    if (value == null) {
      return true;
    }
    return value.endsWith(ANY_END)
        ? otherValue.startsWith(value.substring(0, value.length() - ANY_END.length()))
        : value.equals(otherValue);
  }
}
