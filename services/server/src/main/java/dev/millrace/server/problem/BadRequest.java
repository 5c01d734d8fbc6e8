package dev.millrace.server.problem;

import dev.millrace.adapters.http.HttpProblem;
import java.util.Locale;

/** Refuses a request that cannot be: which field, which value, which rule. */
public final class BadRequest {
  /** The kind of problem. */
  public static final String TYPE = "invalid-request";

  /** The kind in words. */
  public static final String TITLE = "The request is not valid";

  private static final int MAX_SHOWN = 60;

  private BadRequest() {}

  /** A refusal that names no single field. */
  public static ProblemException because(String detail) {
    return new ProblemException(HttpProblem.of(400, TYPE, TITLE).detail(detail));
  }

  /** A refusal of {@code field}, for what {@code rule} says. */
  public static ProblemException field(String field, String rule) {
    String shown = shown(field);
    return new ProblemException(
        HttpProblem.of(400, TYPE, TITLE).with("field", shown).detail("'" + shown + "' " + rule));
  }

  /** The value as it may stand in an answer or a log: short, and without control characters. */
  public static String shown(Object value) {
    String text = value.toString();
    StringBuilder shown = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), MAX_SHOWN); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == 0x7f || Character.isSurrogate(c) || Character.isISOControl(c)) {
        shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        shown.append(c);
      }
    }
    return text.length() > MAX_SHOWN ? shown + "…" : shown.toString();
  }
}
