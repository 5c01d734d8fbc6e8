package dev.millrace.deploy.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A policy as IAM judges by it: what is denied is denied, what is allowed is allowed, and all else
 * is denied too. It knows the conditions that the template uses, and refuses to judge by others.
 */
final class Policy {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{aws:PrincipalTag/([^}]+)\\}");
  private static final String LEADING_KEYS = "dynamodb:LeadingKeys";

  private final List<Statement> statements;

  private Policy(List<Statement> statements) {
    this.statements = List.copyOf(statements);
  }

  /** A statement with everything as a list. */
  private record Statement(
      String sid,
      boolean allows,
      List<String> actions,
      List<String> resources,
      Map<String, Map<String, List<String>>> conditions) {}

  static Policy of(JsonNode document) {
    List<Statement> statements = new ArrayList<>();
    for (JsonNode statement : document.get("Statement")) {
      Map<String, Map<String, List<String>>> conditions = new java.util.LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> operator : statement.path("Condition").properties()) {
        Map<String, List<String>> keys = new java.util.LinkedHashMap<>();
        operator.getValue().properties().forEach(k -> keys.put(k.getKey(), texts(k.getValue())));
        conditions.put(operator.getKey(), keys);
      }
      statements.add(
          new Statement(
              statement.path("Sid").asText(),
              statement.get("Effect").asText().equals("Allow"),
              texts(statement.get("Action")),
              texts(statement.get("Resource")),
              conditions));
    }
    return new Policy(statements);
  }

  private static List<String> texts(JsonNode node) {
    List<String> texts = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(each -> texts.add(each.asText()));
    } else {
      texts.add(node.asText());
    }
    return texts;
  }

  /** Each action of each statement, as {@code Sid action}. */
  List<String> actions() {
    return statements.stream()
        .flatMap(each -> each.actions().stream().map(action -> each.sid() + " " + action))
        .toList();
  }

  /** The same without one of {@link #actions}. */
  Policy without(String sidAndAction) {
    List<Statement> fewer = new ArrayList<>();
    for (Statement each : statements) {
      List<String> actions = new ArrayList<>(each.actions());
      actions.removeIf(action -> (each.sid() + " " + action).equals(sidAndAction));
      fewer.add(
          new Statement(each.sid(), each.allows(), actions, each.resources(), each.conditions()));
    }
    return new Policy(fewer);
  }

  boolean allows(ApiCall call) {
    return allows(call, Map.of());
  }

  /** Whether it allows a call to a principal with these tags. */
  boolean allows(ApiCall call, Map<String, String> tags) {
    boolean allowed = false;
    for (Statement statement : statements) {
      if (matches(statement, call, tags)) {
        if (!statement.allows()) {
          return false;
        }
        allowed = true;
      }
    }
    return allowed;
  }

  private static boolean matches(Statement statement, ApiCall call, Map<String, String> tags) {
    String action = call.action().toLowerCase(Locale.ROOT);
    return statement.actions().stream()
            .anyMatch(pattern -> like(pattern.toLowerCase(Locale.ROOT), action))
        && statement.resources().stream().anyMatch(pattern -> like(pattern, call.resource()))
        && statement.conditions().entrySet().stream()
            .allMatch(condition -> holds(condition.getKey(), condition.getValue(), call, tags));
  }

  private static boolean holds(
      String operator, Map<String, List<String>> keys, ApiCall call, Map<String, String> tags) {
    for (Map.Entry<String, List<String>> key : keys.entrySet()) {
      if (!key.getKey().equals(LEADING_KEYS)) {
        throw new IllegalArgumentException("condition on " + key.getKey());
      }
      List<String> values =
          key.getValue().stream().flatMap(value -> resolve(value, tags).stream()).toList();
      boolean held =
          switch (operator) {
            case "ForAllValues:StringLike" ->
                call.leadingKeys().stream()
                    .allMatch(lead -> values.stream().anyMatch(value -> like(value, lead)));
            case "ForAllValues:StringEquals" -> values.containsAll(call.leadingKeys());
            case "Null" -> values.contains(String.valueOf(call.leadingKeys().isEmpty()));
            default -> throw new IllegalArgumentException("condition " + operator);
          };
      if (!held) {
        return false;
      }
    }
    return true;
  }

  /** With the principal's tags; nothing when it has none of that name. */
  private static Optional<String> resolve(String value, Map<String, String> tags) {
    Matcher variable = VARIABLE.matcher(value);
    StringBuilder resolved = new StringBuilder();
    while (variable.find()) {
      String tag = tags.get(variable.group(1));
      if (tag == null) {
        return Optional.empty();
      }
      variable.appendReplacement(resolved, Matcher.quoteReplacement(tag));
    }
    return Optional.of(variable.appendTail(resolved).toString());
  }

  /** With * for anything and ? for any character. */
  static boolean like(String pattern, String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      regex.append(
          switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> Pattern.quote(String.valueOf(c));
          });
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
  }
}
