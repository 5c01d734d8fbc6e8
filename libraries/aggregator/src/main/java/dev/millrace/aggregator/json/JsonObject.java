package dev.millrace.aggregator.json;

import java.util.Map;
import java.util.TreeMap;

/**
 * A writer of a JSON object on one line, the fields in the order in which they are put. Every text
 * can be read back as it was, halves of surrogate pairs included: the defect of a record must not
 * get lost on its way to the dead letters.
 */
final class JsonObject {
  private final StringBuilder text = new StringBuilder("{");

  JsonObject put(String name, String value) {
    return putRaw(name, quoted(value));
  }

  JsonObject put(String name, long value) {
    return putRaw(name, Long.toString(value));
  }

  JsonObject put(String name, boolean value) {
    return putRaw(name, Boolean.toString(value));
  }

  /** Sorted by name, so that the same map is the same text. */
  JsonObject put(String name, Map<String, String> values) {
    JsonObject object = new JsonObject();
    new TreeMap<>(values).forEach(object::put);
    return putRaw(name, object.toString());
  }

  JsonObject putRaw(String name, String json) {
    if (text.length() > 1) {
      text.append(',');
    }
    text.append(quoted(name)).append(':').append(json);
    return this;
  }

  @Override
  public String toString() {
    return text + "}";
  }

  static String quoted(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
