package dev.millrace.server.json;

import java.util.Locale;

/** The problem of a request that is not valid, with the field, the value and the rule. */
public final class BadRequest {
  public static final String TYPE = "invalid-request";
  public static final String TITLE = "The request is not valid";

  private static final int MAX_SHOWN = 60;

  private BadRequest() {}

  /** A problem that concerns no single field. */
  public static ProblemException because(String detail) {
    return ProblemException.of(400, TYPE, TITLE).detail(detail);
  }

  /** A violation of {@code rule} by {@code field}. */
  public static ProblemException field(String field, String rule) {
    String shown = shown(field);
    return ProblemException.of(400, TYPE, TITLE)
        .with("field", shown)
        .detail("'" + shown + "' " + rule);
  }

  /** The value as a response or a log may repeat it: short, and without control characters. */
  public static String shown(Object value) {
    String text = value.toString();
    StringBuilder shown = new StringBuilder();
    for (char c : text.substring(0, Math.min(text.length(), MAX_SHOWN)).toCharArray()) {
      if (Character.isSurrogate(c) || Character.isISOControl(c)) {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return text.length() > MAX_SHOWN ? shown + "…" : shown.toString();
  }
}
