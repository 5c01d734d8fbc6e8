package dev.millrace.dynamodb.internal.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The clauses of an update and the parts of its condition, with the attributes and values that
 * their placeholders stand for.
 */
final class UpdateClauses {
  final Map<String, String> names = new LinkedHashMap<>();
  final Map<String, AttributeValue> values = new HashMap<>();
  private final Map<String, String> placeholders = new HashMap<>();
  private final List<String> condition = new ArrayList<>();
  private final List<String> sets = new ArrayList<>();
  private final List<String> adds = new ArrayList<>();
  private final List<String> removes = new ArrayList<>();

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

  void require(String part) {
    condition.add(part);
  }

  void set(String name, String value) {
    sets.add(name + " = " + value);
  }

  void add(String name, String value) {
    adds.add(name + " " + value);
  }

  void remove(String name) {
    removes.add(name);
  }

  void setOrRemove(boolean stored, String name, String value) {
    if (stored) {
      set(name, value);
    } else {
      remove(name);
    }
  }

  String condition() {
    return String.join(" AND ", condition);
  }

  String setAddRemove() {
    return (clause("SET ", sets) + clause(" ADD ", adds) + clause(" REMOVE ", removes)).strip();
  }

  String setRemoveAdd() {
    return clause("SET ", sets) + clause(" REMOVE ", removes) + clause(" ADD ", adds);
  }

  private static String clause(String keyword, List<String> parts) {
    return parts.isEmpty() ? "" : keyword + String.join(", ", parts);
  }
}
