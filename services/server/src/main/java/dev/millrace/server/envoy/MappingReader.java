package dev.millrace.server.envoy;

import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.yaml.NodeValues;
import dev.millrace.manifest.yaml.YamlNode;
import dev.millrace.manifest.yaml.YamlReader;
import java.io.StringReader;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a mapping file. Everything that is wrong with it is told at once.
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
  /** Most characters of a file. */
  public static final int MAX_CHARACTERS = 1_000_000;

  /** Most domains of a file. */
  public static final int MAX_DOMAINS = 100;

  /** Most rules of a file: each has its own counters. */
  public static final int MAX_RULES = 500;

  private static final Set<String> TOP = Set.of("version", "onUnknown", "nearRatio", "domains");
  private static final Set<String> DOMAIN =
      Set.of("onUnknown", "onUnavailable", "headers", "namespace", "rules");
  private static final String VERSION = "1";
  private static final int RATIO_DECIMALS = 3;

  private final NodeValues reading = new NodeValues();
  private final RuleReading ruleReading = new RuleReading(reading);
  private int rules;

  private MappingReader() {}

  /**
   * Reads {@code text}.
   *
   * @param file its name, for messages
   * @throws MappingException when any of it is wrong
   */
  public static Mapping read(String file, String text) {
    try {
      if (text.length() > MAX_CHARACTERS) {
        throw new ManifestException(
            List.of(
                new dev.millrace.manifest.ManifestProblem(
                    0, 0, "(file)", "", "must have at most " + MAX_CHARACTERS + " characters")));
      }
      return new MappingReader().mapping(YamlReader.document(new StringReader(text)));
    } catch (ManifestException e) {
      throw new MappingException(file, e.problems());
    }
  }

  private Mapping mapping(YamlNode node) {
    Map<String, YamlNode> fields = reading.fields(node, "(file)", TOP);
    YamlNode version = fields.get("version");
    if (version == null || !VERSION.equals(reading.text(version, "version"))) {
      reading.problem(version == null ? node : version, "version", "must be " + VERSION);
    }
    OnUnknown onUnknown =
        choice(reading, OnUnknown.class, fields.get("onUnknown"), "onUnknown", OnUnknown.ALLOW);
    BigDecimal ratio = reading.number(fields.get("nearRatio"), "nearRatio", RATIO_DECIMALS);
    YamlNode ratioNode = fields.get("nearRatio");
    if (ratio != null
        && ratioNode != null
        && (ratio.signum() <= 0 || ratio.compareTo(BigDecimal.ONE) > 0)) {
      reading.problem(ratioNode, "nearRatio", "must be above 0 and at most 1");
    }
    Map<String, Domain> domains = new LinkedHashMap<>();
    YamlNode all = fields.get("domains");
    if (all == null) {
      reading.problem(node, "domains", "must be there");
    } else {
      reading.entries(all, "domains").forEach((name, value) -> domain(name, value, domains));
    }
    reading.requireNone();
    return new Mapping(
        onUnknown, ratio == null ? Mapping.NONE.nearRatio() : ratio.doubleValue(), domains);
  }

  private void domain(YamlNode.Scalar name, YamlNode node, Map<String, Domain> domains) {
    String path = "domains." + name.text();
    if (name.text().isEmpty()) {
      reading.problem(name, "domains", "a domain must have a name");
    }
    if (domains.size() == MAX_DOMAINS) {
      reading.problem(name, "domains", "is one too many: at most " + MAX_DOMAINS);
    }
    Map<String, YamlNode> fields = reading.fields(node, path, DOMAIN);
    OnUnknown onUnknown =
        choice(
            reading,
            OnUnknown.class,
            fields.get("onUnknown"),
            path + ".onUnknown",
            OnUnknown.ALLOW);
    RuleReading.Defaults defaults = ruleReading.defaults(fields, path);
    boolean headers = Boolean.TRUE.equals(reading.flag(fields.get("headers"), path + ".headers"));
    YamlNode list = fields.get("rules");
    if (!(list instanceof YamlNode.Sequence sequence) || sequence.items().isEmpty()) {
      reading.problem(list == null ? node : list, path + ".rules", "must be a list of rules");
      return;
    }
    Map<String, Rule> byName = new LinkedHashMap<>();
    for (int i = 0; i < sequence.items().size(); i++) {
      YamlNode each = sequence.items().get(i);
      String where = path + ".rules[" + i + "]";
      Rule rule = ruleReading.rule(each, where, defaults);
      if (rule != null && byName.put(rule.name(), rule) != null) {
        reading.problem(each, where + ".name", "'" + rule.name() + "' is there twice");
      }
      if (++rules == MAX_RULES + 1) {
        reading.problem(each, where, "is one too many: at most " + MAX_RULES + " in a file");
      }
    }
    domains.put(
        name.text(), new Domain(name.text(), onUnknown, headers, List.copyOf(byName.values())));
  }

  /** One of the constants of an enum, or what holds without it. */
  static <E extends Enum<E>> E choice(
      NodeValues reading, Class<E> type, @Nullable YamlNode node, String path, E otherwise) {
    if (node == null) {
      return otherwise;
    }
    String text = reading.text(node, path);
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(text)) {
        return constant;
      }
    }
    reading.problem(node, path, "must be one of " + Arrays.toString(type.getEnumConstants()));
    return otherwise;
  }
}
