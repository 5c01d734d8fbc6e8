package dev.millrace;

import java.util.Locale;

/**
 * The rules for names, all in one place. A name becomes part of a key or of an attribute's name, so
 * it is checked before anything is sent; a bad one is an {@link IllegalArgumentException} that says
 * which field, which value and which rule.
 */
public final class NameRules {
  /** Longest entity id, in characters. */
  public static final int MAX_ENTITY_ID = 256;

  /** Longest name of a resource, a limit or a namespace id, in characters. */
  public static final int MAX_NAME = 64;

  /** The limit that tracks a partition's own write pressure; never a user's. */
  public static final String RESERVED_LIMIT = "wcu";

  private static final int MAX_SHOWN = 60;

  private NameRules() {}

  /** Returns {@code value} when it is an entity id: a letter or digit, then also {@code _-.:@}. */
  public static String requireEntityId(String value) {
    return require("entityId", value, MAX_ENTITY_ID, /* digitFirst= */ true, "_-.:@");
  }

  /**
   * Returns {@code value} when it names a resource: a letter, then also digits and {@code _-./}.
   */
  public static String requireResource(String value) {
    return require("resource", value, MAX_NAME, /* digitFirst= */ false, "_-./");
  }

  /** Returns {@code value} when it names a limit: a letter, then also digits and {@code _-.}. */
  public static String requireLimitName(String value) {
    require("limit", value, MAX_NAME, /* digitFirst= */ false, "_-.");
    if (value.equals(RESERVED_LIMIT)) {
      throw refused("limit", value, "is reserved");
    }
    return value;
  }

  /** Returns {@code value} when it is a namespace id: letters, digits, {@code _} and {@code -}. */
  public static String requireNamespace(String value) {
    return require("namespace", value, MAX_NAME, /* digitFirst= */ true, "_-");
  }

  private static String require(
      String field, String value, int maxLength, boolean digitFirst, String alsoAllowed) {
    if (value == null) {
      throw new IllegalArgumentException(field + " is null");
    }
    if (value.isEmpty()) {
      throw refused(field, value, "is empty");
    }
    if (value.length() > maxLength) {
      throw refused(
          field, value, "has " + value.length() + " characters, at most " + maxLength + " allowed");
    }
    char first = value.charAt(0);
    if (first == '_' || first == '$') {
      throw refused(field, value, "begins with '" + first + "', which is reserved");
    }
    if (value.indexOf('#') >= 0) {
      throw refused(field, value, "contains '#', which separates the parts of a key");
    }
    if (!isLetter(first) && !(digitFirst && isDigit(first))) {
      throw refused(
          field,
          value,
          "begins with "
              + show(first)
              + ", must begin with "
              + (digitFirst ? "a letter or a digit" : "a letter"));
    }
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (!isLetter(c) && !isDigit(c) && alsoAllowed.indexOf(c) < 0) {
        throw refused(
            field,
            value,
            "contains "
                + show(c)
                + " at position "
                + i
                + ", allowed are letters, digits and "
                + alsoAllowed);
      }
    }
    return value;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static IllegalArgumentException refused(String field, String value, String rule) {
    return new IllegalArgumentException(field + " '" + shown(value) + "' " + rule);
  }

  /** The value as it may stand in a message: short, and without control characters. */
  private static String shown(String value) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(value.length(), MAX_SHOWN); i++) {
      char c = value.charAt(i);
      text.append(isPrintable(c) ? String.valueOf(c) : escaped(c));
    }
    return value.length() > MAX_SHOWN ? text + "…" : text.toString();
  }

  /** Whether a log or a terminal shows it as a character: no control, separator or half of one. */
  private static boolean isPrintable(char c) {
    int type = Character.getType(c);
    return c == ' '
        || !(Character.isISOControl(c)
            || Character.isWhitespace(c)
            || type == Character.FORMAT
            || type == Character.SURROGATE);
  }

  private static String show(char c) {
    return c < ' ' || c >= 0x7f ? escaped(c) : "'" + c + "'";
  }

  private static String escaped(char c) {
    return String.format(Locale.ROOT, "\\u%04x", (int) c);
  }
}
