package dev.millrace.cli.text;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values as JSON on one line: maps with names, lists, strings, numbers, booleans and null. */
public final class JsonText {
  private static final char FIRST_PRINTABLE = ' ';

  private JsonText() {}

  /** The value as JSON. */
  public static String of(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value == null) {
      text.append("null");
    } else if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        text.append(separator);
        appendString(text, String.valueOf(entry.getKey()));
        text.append(':');
        append(text, entry.getValue());
        separator = ",";
      }
      text.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        text.append(separator);
        append(text, element);
        separator = ",";
      }
      text.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof Double number) {
      text.append(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
    } else if (value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else if (value instanceof String string) {
      appendString(text, string);
    } else {
      throw new IllegalArgumentException("no JSON for " + value.getClass());
    }
  }

  private static void appendString(StringBuilder text, String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < FIRST_PRINTABLE) {
        text.append(String.format("\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }
}
