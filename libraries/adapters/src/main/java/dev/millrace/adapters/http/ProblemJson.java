package dev.millrace.adapters.http;

import java.util.Collection;
import java.util.Map;

/**
 * A JSON writer for problems: texts, numbers, booleans, lists and members by name. It is written
 * here because users of the adapters must not get a JSON library for the sake of one small
 * response.
 */
final class ProblemJson {
  private static final char FIRST_PRINTABLE = ' ';

  private ProblemJson() {}

  static String of(Object value) {
    StringBuilder json = new StringBuilder();
    write(json, value);
    return json.toString();
  }

  private static void write(StringBuilder json, Object value) {
    if (value instanceof Map<?, ?> members) {
      json.append('{');
      members.forEach((name, member) -> writeMember(json, name.toString(), member));
      json.append('}');
    } else if (value instanceof Collection<?> elements) {
      json.append('[');
      elements.forEach(element -> write(separated(json), element));
      json.append(']');
    } else if (value instanceof Number || value instanceof Boolean) {
      json.append(value);
    } else {
      quote(json, value.toString());
    }
  }

  private static void writeMember(StringBuilder json, String name, Object member) {
    quote(separated(json), name);
    write(json.append(':'), member);
  }

  private static StringBuilder separated(StringBuilder json) {
    char last = json.charAt(json.length() - 1);
    return last == '{' || last == '[' ? json : json.append(',');
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < FIRST_PRINTABLE) {
        json.append(String.format("\\u%04X", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
