package dev.millrace.server.envoy;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.core.internal.NameRules;
import dev.millrace.manifest.yaml.NodeValues;
import dev.millrace.manifest.yaml.YamlNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the rules of a mapping file. */
final class RuleReading {
  private static final Set<String> RULE =
      Set.of(
          "name",
          "match",
          "namespace",
          "entity",
          "resource",
          "consume",
          "limits",
          "shadow",
          "onUnavailable");
  private static final Set<String> MATCH = Set.of("key", "value");
  private static final String HITS = "hits";

  /**
   * What holds for the rules of a domain that do not say otherwise.
   *
   * @param namespace of the buckets
   * @param onUnavailable what is answered when the table does not decide in time
   */
  record Defaults(String namespace, OnUnavailable onUnavailable) {}

  private final NodeValues reading;

  RuleReading(NodeValues reading) {
    this.reading = reading;
  }

  /** What the fields of a domain, or of a rule, say about these two. */
  Defaults defaults(Map<String, YamlNode> fields, String path) {
    return defaults(
        fields, path, new Defaults(LimiterOptions.DEFAULT_NAMESPACE, OnUnavailable.FAIL));
  }

  private Defaults defaults(Map<String, YamlNode> fields, String path, Defaults otherwise) {
    String namespace =
        name(fields.get("namespace"), path + ".namespace", NameRules::requireNamespace);
    return new Defaults(
        namespace == null ? otherwise.namespace() : namespace,
        MappingReader.choice(
            reading,
            OnUnavailable.class,
            fields.get("onUnavailable"),
            path + ".onUnavailable",
            otherwise.onUnavailable()));
  }

  /** A rule, null when it is wrong. */
  @Nullable Rule rule(YamlNode node, String path, Defaults defaults) {
    Map<String, YamlNode> fields = reading.fields(node, path, RULE);
    YamlNode nameNode = required(fields, "name", node, path);
    String name = name(nameNode, path + ".name", NameRules::requireNamespace);
    List<EntryMatch> match = match(required(fields, "match", node, path), path + ".match");
    Set<String> keys = new HashSet<>();
    match.forEach(entry -> keys.add(entry.key()));
    Template entity =
        template(
            required(fields, "entity", node, path),
            path + ".entity",
            keys,
            NameRules::requireEntityId);
    Template resource =
        template(
            required(fields, "resource", node, path),
            path + ".resource",
            keys,
            NameRules::requireResource);
    LimitSet limits = limits(fields.get("limits"), path + ".limits");
    List<Charge> charges = charges(required(fields, "consume", node, path), path + ".consume");
    YamlNode consume = fields.get("consume");
    for (Charge charge : charges) {
      if (limits != null && consume != null && limits.indexOf(charge.limit()) < 0) {
        reading.problem(
            consume, path + ".consume." + charge.limit(), "is not one of the limits of the rule");
      }
    }
    Boolean shadow = reading.flag(fields.get("shadow"), path + ".shadow");
    Defaults own = defaults(fields, path, defaults);
    if (name == null || entity == null || resource == null || match.isEmpty()) {
      return null;
    }
    return new Rule(
        name,
        match,
        own.namespace(),
        entity,
        resource,
        charges,
        limits,
        Boolean.TRUE.equals(shadow),
        own.onUnavailable());
  }

  private @Nullable YamlNode required(
      Map<String, YamlNode> fields, String field, YamlNode rule, String path) {
    YamlNode node = fields.get(field);
    if (node == null) {
      reading.problem(rule, path + "." + field, "must be there");
    }
    return node;
  }

  private @Nullable String name(@Nullable YamlNode node, String path, UnaryOperator<String> rule) {
    String text = reading.text(node, path);
    return node == null || text == null
        ? null
        : reading.checked(node, path, () -> rule.apply(text));
  }

  private List<EntryMatch> match(@Nullable YamlNode node, String path) {
    List<EntryMatch> match = new ArrayList<>();
    if (node == null) {
      return match;
    }
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      reading.problem(node, path, "must be a list of entries, such as [{key: tenant}]");
      return match;
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < sequence.items().size(); i++) {
      YamlNode entry = sequence.items().get(i);
      String where = path + "[" + i + "]";
      Map<String, YamlNode> fields = reading.fields(entry, where, MATCH);
      String key = reading.text(fields.get("key"), where + ".key");
      String value = reading.text(fields.get("value"), where + ".value");
      if (key == null || key.isEmpty()) {
        reading.problem(entry, where + ".key", "must be there");
      } else if (!seen.add(key)) {
        reading.problem(entry, where + ".key", "'" + key + "' is there twice");
      } else {
        match.add(new EntryMatch(key, value));
      }
    }
    return match;
  }

  private @Nullable Template template(
      @Nullable YamlNode node, String path, Set<String> keys, UnaryOperator<String> rule) {
    String text = reading.text(node, path);
    if (node == null || text == null) {
      return null;
    }
    Template template = reading.checked(node, path, () -> Template.parse(text));
    if (template == null) {
      return null;
    }
    for (String key : template.keys()) {
      if (!keys.contains(key)) {
        reading.problem(node, path, "'{key." + key + "}' is not a key of the rule's match");
        return null;
      }
    }
    return template.keys().isEmpty() && name(node, path, rule) == null ? null : template;
  }

  private List<Charge> charges(@Nullable YamlNode node, String path) {
    List<Charge> charges = new ArrayList<>();
    if (node == null) {
      return charges;
    }
    reading
        .entries(node, path)
        .forEach(
            (limit, value) -> {
              String where = path + "." + limit.text();
              reading.checked(limit, where, () -> NameRules.requireLimitName(limit.text()));
              charges.add(new Charge(limit.text(), amount(value, where)));
            });
    if (charges.isEmpty()) {
      reading.problem(node, path, "must name at least one limit");
    }
    return charges;
  }

  private @Nullable Long amount(YamlNode node, String path) {
    if (node instanceof YamlNode.Scalar scalar && scalar.text().equals(HITS)) {
      return null;
    }
    BigDecimal number =
        node instanceof YamlNode.Scalar scalar && scalar.text().matches("[0-9]{1,16}")
            ? new BigDecimal(scalar.text())
            : null;
    if (number == null || number.longValueExact() > Limit.MAX_TOKENS) {
      reading.problem(node, path, "must be 'hits' or a whole number from 0 to " + Limit.MAX_TOKENS);
      return 0L;
    }
    return number.longValueExact();
  }

  private @Nullable LimitSet limits(@Nullable YamlNode node, String path) {
    if (node == null) {
      return null;
    }
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      reading.problem(node, path, "must be a list of limits, such as [rpm:100/min]");
      return null;
    }
    List<Limit> limits = new ArrayList<>();
    for (int i = 0; i < sequence.items().size(); i++) {
      YamlNode each = sequence.items().get(i);
      String where = path + "[" + i + "]";
      String text = reading.text(each, where);
      Limit limit =
          text == null ? null : reading.checked(each, where, () -> LimitNotation.parse(text));
      if (limit != null) {
        limits.add(limit);
      }
    }
    return limits.isEmpty() ? null : reading.checked(node, path, () -> LimitSet.of(limits));
  }
}
