package dev.millrace.server.envoy;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.NameRules;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
import dev.millrace.manifest.internal.YamlNode;
import dev.millrace.manifest.internal.YamlReader;
import dev.millrace.manifest.internal.YamlValues;
import dev.millrace.server.WatchedFile;
import dev.millrace.server.envoy.EnvoyMapping.Charge;
import dev.millrace.server.envoy.EnvoyMapping.Domain;
import dev.millrace.server.envoy.EnvoyMapping.EntryMatch;
import dev.millrace.server.envoy.EnvoyMapping.FailurePolicy;
import dev.millrace.server.envoy.EnvoyMapping.Rule;
import dev.millrace.server.envoy.EnvoyMapping.UnknownPolicy;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A reader of mapping files, which reports all problems of a file at once.
 *
 * <pre>{@code
 * version: 1
 * domains:
 *   edge:
 *     rules:
 *       - name: per-tenant
 *         match: [{key: tenant}]
 *         entity: "{key.tenant}"
 *         resource: api
 *         consume: {rpm: hits}
 * }</pre>
 */
public final class MappingReader {
  private static final int MAX_CHARACTERS = 1_000_000;
  private static final int MAX_DOMAINS = 100;

  /** Most rules of a file: each has its own counters. */
  static final int MAX_RULES = 500;

  private static final Set<String> TOP = Set.of("version", "onUnknown", "nearRatio", "domains");
  private static final Set<String> DOMAIN =
      Set.of("onUnknown", "onUnavailable", "headers", "namespace", "rules");
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
  private static final String VERSION = "1";
  private static final int RATIO_DECIMALS = 3;

  private final YamlValues values = new YamlValues();
  private int rules;

  private MappingReader() {}

  /**
   * The defaults for the rules of a domain.
   *
   * @param namespace of the buckets
   * @param onUnavailable the answer when the table does not decide in time
   */
  private record Defaults(String namespace, FailurePolicy onUnavailable) {}

  /**
   * The mapping in {@code file}.
   *
   * @throws MappingException when it is wrong or cannot be read
   */
  public static EnvoyMapping read(Path file) {
    try {
      return read(file.toString(), WatchedFile.content(file));
    } catch (IllegalArgumentException e) {
      throw new MappingException(file.toString(), List.of(problem(String.valueOf(e.getMessage()))));
    }
  }

  /**
   * The mapping in {@code text}.
   *
   * @param file its name, for messages
   * @throws MappingException when it is wrong
   */
  public static EnvoyMapping read(String file, String text) {
    try {
      if (text.length() > MAX_CHARACTERS) {
        throw new ManifestException(
            List.of(problem("must have at most " + MAX_CHARACTERS + " characters")));
      }
      return new MappingReader().mapping(YamlReader.document(new StringReader(text)));
    } catch (ManifestException e) {
      throw new MappingException(file, e.problems());
    }
  }

  private static ManifestProblem problem(String rule) {
    return new ManifestProblem(0, 0, "(file)", "", rule);
  }

  private EnvoyMapping mapping(YamlNode node) {
    Section file = new Section(node, "(file)", TOP);
    YamlNode version = file.fields().get("version");
    if (version == null || !VERSION.equals(values.text(version, "version"))) {
      values.problem(version == null ? node : version, "version", "must be " + VERSION);
    }
    UnknownPolicy onUnknown = file.choice("onUnknown", UnknownPolicy.ALLOW);
    YamlNode ratioNode = file.fields().get("nearRatio");
    BigDecimal ratio = values.number(ratioNode, "nearRatio", RATIO_DECIMALS);
    if (ratio != null
        && ratioNode != null
        && (ratio.signum() <= 0 || ratio.compareTo(BigDecimal.ONE) > 0)) {
      values.problem(ratioNode, "nearRatio", "must be above 0 and at most 1");
    }
    Map<String, Domain> domains = new LinkedHashMap<>();
    YamlNode all = file.required("domains");
    if (all != null) {
      values.entries(all, "domains").forEach((name, value) -> domain(name, value, domains));
    }
    values.requireNone();
    return new EnvoyMapping(
        onUnknown, ratio == null ? EnvoyMapping.NONE.nearRatio() : ratio.doubleValue(), domains);
  }

  private void domain(YamlNode.Scalar name, YamlNode node, Map<String, Domain> domains) {
    Section domain = new Section(node, "domains." + name.text(), DOMAIN);
    if (name.text().isEmpty()) {
      values.problem(name, "domains", "a domain must have a name");
    }
    if (domains.size() == MAX_DOMAINS) {
      values.problem(name, "domains", "is one too many: at most " + MAX_DOMAINS);
    }
    String namespace = domain.name("namespace", NameRules::requireNamespace);
    Defaults defaults =
        new Defaults(
            namespace == null ? LimiterOptions.DEFAULT_NAMESPACE : namespace,
            domain.choice("onUnavailable", FailurePolicy.FAIL));
    YamlNode list = domain.fields().get("rules");
    Map<String, Rule> byName = new LinkedHashMap<>();
    String path = domain.at("rules");
    items(list == null ? node : list, path, "must be a list of rules")
        .forEach(
            (where, each) -> {
              Rule rule = rule(new Section(each, where, RULE), defaults);
              if (rule != null && byName.put(rule.name(), rule) != null) {
                values.problem(each, where + ".name", "'" + rule.name() + "' is there twice");
              }
              if (++rules == MAX_RULES + 1) {
                values.problem(each, where, "is one too many: at most " + MAX_RULES + " in a file");
              }
            });
    domains.put(
        name.text(),
        new Domain(
            name.text(),
            domain.choice("onUnknown", UnknownPolicy.ALLOW),
            domain.flag("headers"),
            List.copyOf(byName.values())));
  }

  /** A rule, null when it is wrong. */
  private @Nullable Rule rule(Section rule, Defaults defaults) {
    String name =
        rule.required("name") == null ? null : rule.name("name", NameRules::requireNamespace);
    List<EntryMatch> match = match(rule.required("match"), rule.at("match"));
    Set<String> keys = match.stream().map(EntryMatch::key).collect(Collectors.toSet());
    NameTemplate entity = template(rule, "entity", keys, NameRules::requireEntityId);
    NameTemplate resource = template(rule, "resource", keys, NameRules::requireResource);
    LimitSet limits = limits(rule.fields().get("limits"), rule.at("limits"));
    YamlNode consume = rule.required("consume");
    List<Charge> charges = consume == null ? List.of() : charges(consume, rule.at("consume"));
    for (Charge charge : charges) {
      if (limits != null && consume != null && limits.indexOf(charge.limit()) < 0) {
        values.problem(
            consume,
            rule.at("consume") + "." + charge.limit(),
            "is not one of the limits of the rule");
      }
    }
    boolean shadow = rule.flag("shadow");
    String namespace = rule.name("namespace", NameRules::requireNamespace);
    FailurePolicy onUnavailable = rule.choice("onUnavailable", defaults.onUnavailable());
    if (name == null || entity == null || resource == null || match.isEmpty()) {
      return null;
    }
    return new Rule(
        name,
        match,
        namespace == null ? defaults.namespace() : namespace,
        entity,
        resource,
        charges,
        limits,
        shadow,
        onUnavailable);
  }

  private List<EntryMatch> match(@Nullable YamlNode node, String path) {
    List<EntryMatch> match = new ArrayList<>();
    if (node == null) {
      return match;
    }
    Set<String> seen = new HashSet<>();
    items(node, path, "must be a list of entries, such as [{key: tenant}]")
        .forEach(
            (where, entry) -> {
              Section fields = new Section(entry, where, MATCH);
              String key = fields.text("key");
              if (key == null || key.isEmpty()) {
                values.problem(entry, where + ".key", "must be there");
              } else if (!seen.add(key)) {
                values.problem(entry, where + ".key", "'" + key + "' is there twice");
              } else {
                match.add(new EntryMatch(key, fields.text("value")));
              }
            });
    return match;
  }

  private @Nullable NameTemplate template(
      Section rule, String field, Set<String> keys, UnaryOperator<String> check) {
    YamlNode node = rule.required(field);
    String text = rule.text(field);
    if (node == null || text == null) {
      return null;
    }
    NameTemplate template = values.checked(node, rule.at(field), () -> NameTemplate.parse(text));
    if (template == null) {
      return null;
    }
    for (String key : template.keys()) {
      if (!keys.contains(key)) {
        values.problem(
            node, rule.at(field), "'{key." + key + "}' is not a key of the rule's match");
        return null;
      }
    }
    return template.keys().isEmpty() && rule.name(field, check) == null ? null : template;
  }

  private List<Charge> charges(YamlNode node, String path) {
    List<Charge> charges = new ArrayList<>();
    values
        .entries(node, path)
        .forEach(
            (limit, value) -> {
              String where = path + "." + limit.text();
              values.checked(limit, where, () -> NameRules.requireLimitName(limit.text()));
              charges.add(new Charge(limit.text(), amount(value, where)));
            });
    if (charges.isEmpty()) {
      values.problem(node, path, "must name at least one limit");
    }
    return charges;
  }

  private @Nullable Long amount(YamlNode node, String path) {
    String text = node instanceof YamlNode.Scalar scalar ? scalar.text() : "";
    if (text.equals(HITS)) {
      return null;
    }
    if (!text.matches("[0-9]{1,16}") || Long.parseLong(text) > Limit.MAX_TOKENS) {
      values.problem(node, path, "must be 'hits' or a whole number from 0 to " + Limit.MAX_TOKENS);
      return 0L;
    }
    return Long.valueOf(text);
  }

  private @Nullable LimitSet limits(@Nullable YamlNode node, String path) {
    if (node == null) {
      return null;
    }
    List<Limit> limits = new ArrayList<>();
    items(node, path, "must be a list of limits, such as [rpm:100/min]")
        .forEach(
            (where, each) -> {
              String text = values.text(each, where);
              Limit limit =
                  text == null
                      ? null
                      : values.checked(each, where, () -> LimitNotation.parse(text));
              if (limit != null) {
                limits.add(limit);
              }
            });
    return limits.isEmpty() ? null : values.checked(node, path, () -> LimitSet.of(limits));
  }

  /** The items of a list by their path; {@code rule} is the problem of everything else. */
  private Map<String, YamlNode> items(YamlNode node, String path, String rule) {
    Map<String, YamlNode> items = new LinkedHashMap<>();
    if (!(node instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      values.problem(node, path, rule);
    } else {
      sequence.items().forEach(item -> items.put(path + "[" + items.size() + "]", item));
    }
    return items;
  }

  /** The fields of a part of the file. */
  private final class Section {
    private final YamlNode node;
    private final String path;
    private final Map<String, YamlNode> fields;

    Section(YamlNode node, String path, Set<String> known) {
      this.node = node;
      this.path = path;
      this.fields = values.fields(node, path, known);
    }

    Map<String, YamlNode> fields() {
      return fields;
    }

    String at(String field) {
      return path.equals("(file)") ? field : path + "." + field;
    }

    @Nullable YamlNode required(String field) {
      if (!fields.containsKey(field)) {
        values.problem(node, at(field), "must be there");
      }
      return fields.get(field);
    }

    @Nullable String text(String field) {
      return values.text(fields.get(field), at(field));
    }

    boolean flag(String field) {
      return Boolean.TRUE.equals(values.flag(fields.get(field), at(field)));
    }

    /** A text for which {@code rule} does not throw, null for none or another. */
    @Nullable String name(String field, UnaryOperator<String> rule) {
      YamlNode value = fields.get(field);
      String text = text(field);
      return value == null || text == null
          ? null
          : values.checked(value, at(field), () -> rule.apply(text));
    }

    <E extends Enum<E>> E choice(String field, E otherwise) {
      YamlNode value = fields.get(field);
      String text = text(field);
      if (value == null) {
        return otherwise;
      }
      Class<E> type = otherwise.getDeclaringClass();
      for (E constant : type.getEnumConstants()) {
        if (constant.name().equals(text)) {
          return constant;
        }
      }
      values.problem(
          value, at(field), "must be one of " + Arrays.toString(type.getEnumConstants()));
      return otherwise;
    }
  }
}
