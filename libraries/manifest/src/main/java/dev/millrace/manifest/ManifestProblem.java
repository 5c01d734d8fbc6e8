package dev.millrace.manifest;

/**
 * An error in a manifest.
 *
 * @param line its line, from 1; 0 when unknown
 * @param column its column, from 1
 * @param path its path in the desired state: {@code entities.key-42.limits[0]}
 * @param value the offending value, shortened; empty when it would not help
 * @param rule the violated rule
 */
public record ManifestProblem(int line, int column, String path, String value, String rule) {
  private static final int MAX_SHOWN = 60;

  /** Shortens the value. */
  public ManifestProblem {
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
