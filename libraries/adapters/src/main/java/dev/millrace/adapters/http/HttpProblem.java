package dev.millrace.adapters.http;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A problem as RFC 9457 defines it.
 *
 * @param status the status of the response
 * @param type its kind, the last part of a URI; the list is in {@code docs/guide/server.md}
 * @param title the kind in words, the same for all of the kind
 * @param members the details, by name; may have {@code detail}
 */
public record HttpProblem(int status, String type, String title, Map<String, Object> members) {
  /** The prefix of {@link #type()}. */
  public static final String TYPE_PREFIX = "urn:millrace:problem:";

  public HttpProblem {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The {@code Content-Type} of a response with it. */
  public static final String MEDIA_TYPE = "application/problem+json";

  public static HttpProblem of(int status, String type, String title) {
    return new HttpProblem(status, type, title, Map.of());
  }

  /** The same with a sentence about this one: the error, and its remedy. */
  public HttpProblem detail(String detail) {
    return with("detail", detail);
  }

  /** The same with one more member. */
  public HttpProblem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new HttpProblem(status, type, title, more);
  }

  /** All members in the order in which they are written: type, title, status, details. */
  public Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", TYPE_PREFIX + type);
    all.put("title", title);
    all.put("status", status);
    all.putAll(members);
    return all;
  }

  /** {@link #all()} as JSON on one line. */
  public String json() {
    return ProblemJson.of(all());
  }

  /**
   * A JSON writer for problems: texts, numbers, booleans, lists and members by name. It is written
   * here because users of the adapters must not get a JSON library for the sake of one small
   * response.
   */
  private static final class ProblemJson {
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
}
