package dev.millrace.spring.boot;

import dev.millrace.core.internal.NameRules;
import dev.millrace.spring.ChargeRegistry;
import dev.millrace.spring.expression.ChargeExpression;
import dev.millrace.spring.web.WebRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * The parser of the rules in the properties; an error names the property, the value and the rule.
 */
final class PropertyRules {
  private static final String[] NONE = {};

  private PropertyRules() {}

  static List<WebRule> read(List<MillraceProperties.Rule> written, ChargeRegistry book) {
    List<WebRule> rules = new ArrayList<>();
    for (int i = 0; i < written.size(); i++) {
      String where = "millrace.web.rules[" + i + "]";
      WebRule rule = read(where, written.get(i));
      rules.add(rule);
      book.add(where, rule.charge());
    }
    return rules;
  }

  private static WebRule read(String where, MillraceProperties.Rule rule) {
    if (rule.paths().isEmpty()) {
      throw new IllegalArgumentException(where + ".paths is not set: name the requests it is for");
    }
    if (rule.anonymous() != null) {
      requireEntity(where, rule.anonymous());
    }
    if (rule.maxWait() != null && rule.maxWait().isNegative()) {
      throw new IllegalArgumentException(
          where + ".max-wait " + rule.maxWait() + " must not be negative");
    }
    return new WebRule(
        rule.paths().stream().map(path -> pattern(where, path)).toList(),
        Set.copyOf(rule.methods()),
        ChargeExpression.of(
            where,
            required(where + ".entity", rule.entity()),
            required(where + ".resource", rule.resource()),
            rule.limits().toArray(NONE),
            rule.consume().toArray(NONE),
            rule.settle().toArray(NONE)),
        rule.anonymous(),
        rule.maxWait(),
        rule.onUnavailable());
  }

  private static void requireEntity(String where, String anonymous) {
    try {
      NameRules.requireEntityId(anonymous);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + ".anonymous: " + e.getMessage(), e);
    }
  }

  private static String required(String field, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(field + " is not set: a name or an expression is needed");
    }
    return value;
  }

  private static PathPattern pattern(String where, String path) {
    try {
      return PathPatternParser.defaultInstance.parse(path);
    } catch (PatternParseException e) {
      throw new IllegalArgumentException(
          where + ".paths '" + path + "' is not a path pattern: " + e.getMessage(), e);
    }
  }
}
