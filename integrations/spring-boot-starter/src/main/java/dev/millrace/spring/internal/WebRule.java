package dev.millrace.spring.internal;

import dev.millrace.NameRules;
import dev.millrace.OnUnavailable;
import dev.millrace.spring.MillraceProperties;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** A rule that charges matching requests: {@link MillraceProperties.Rule}, parsed. */
record WebRule(
    List<PathPattern> paths,
    Set<String> methods,
    ChargeExpression charge,
    @Nullable String anonymous,
    @Nullable Duration maxWait,
    @Nullable OnUnavailable onUnavailable) {
  private static final String[] NONE = {};

  /** Parses a rule of the properties; an error begins with {@code where} and names the property. */
  static WebRule of(String where, MillraceProperties.Rule rule) {
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
        rule.methods().stream()
            .map(method -> method.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet()),
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

  /** The variables of the path that matches, null when none does. */
  @Nullable Map<String, String> match(String method, PathContainer path) {
    if (methods.isEmpty() || methods.contains(method)) {
      for (PathPattern pattern : paths) {
        PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
        if (match != null) {
          return match.getUriVariables();
        }
      }
    }
    return null;
  }
}
