package dev.millrace.dynamodb.internal.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of an update: everything but the values.
 *
 * @param update the update expression
 * @param condition the condition expression
 * @param names the attribute that each name placeholder stands for
 */
record UpdateText(String update, String condition, Map<String, String> names) {
  /** A builder without any clause. */
  static Builder builder() {
    return new Builder();
  }

  /** Collects the clauses of an update and the parts of its condition. */
  static final class Builder {
    private final Map<String, String> names = new LinkedHashMap<>();

    /** The same the other way round. */
    private final Map<String, String> placeholders = new HashMap<>();

    private final List<String> condition = new ArrayList<>();
    private final List<String> set = new ArrayList<>();
    private final List<String> add = new ArrayList<>();
    private final List<String> remove = new ArrayList<>();

    private Builder() {}

    /**
     * Lets a placeholder stand for an attribute.
     *
     * @throws IllegalArgumentException when another one does already: DynamoDB does not write an
     *     attribute twice
     */
    void name(String placeholder, String attribute) {
      String other = placeholders.putIfAbsent(attribute, placeholder);
      if (other != null && !other.equals(placeholder)) {
        throw new IllegalArgumentException("attribute " + attribute + " would be written twice");
      }
      names.put(placeholder, attribute);
    }

    /** Adds a part of the condition; all parts must hold. */
    void demand(String part) {
      condition.add(part);
    }

    void set(String name, String value) {
      set.add(name + " = " + value);
    }

    void add(String name, String value) {
      add.add(name + " " + value);
    }

    void remove(String name) {
      remove.add(name);
    }

    /** Stores {@code value}, or nothing when {@code stored} is false. */
    void setOrRemove(boolean stored, String name, String value) {
      if (stored) {
        set(name, value);
      } else {
        remove(name);
      }
    }

    UpdateText build() {
      StringBuilder update = new StringBuilder();
      clause(update, "SET ", set);
      clause(update, "ADD ", add);
      clause(update, "REMOVE ", remove);
      return new UpdateText(update.toString(), String.join(" AND ", condition), Map.copyOf(names));
    }

    private static void clause(StringBuilder text, String keyword, List<String> parts) {
      if (!parts.isEmpty()) {
        text.append(text.isEmpty() ? "" : " ").append(keyword).append(String.join(", ", parts));
      }
    }
  }
}
