package dev.millrace.manifest;

/**
 * Something that is wrong with a manifest.
 *
 * @param line where, from 1; 0 when that cannot be said
 * @param column where in the line, from 1
 * @param path where in what is wanted: {@code entities.key-42.limits[0]}
 * @param value what stands there, short; empty when that would say nothing
 * @param rule what it breaks
 */
public record Problem(int line, int column, String path, String value, String rule) {
  private static final int MAX_SHOWN = 60;

  /** Keeps what can be shown of the value. */
  public Problem {
    value = value.length() > MAX_SHOWN ? value.substring(0, MAX_SHOWN) + "…" : value;
  }

  @Override
  public String toString() {
    return "line "
        + line
        + ", column "
        + column
        + ": "
        + path
        + (value.isEmpty() ? "" : " '" + value + "'")
        + ": "
        + rule;
  }
}
