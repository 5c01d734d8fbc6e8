package dev.millrace.manifest.internal;

import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The conversion of nodes to values, which collects problems instead of ending at the first. */
public final class YamlValues {
  /** Most problems that are reported: another kind of file could have millions. */
  private static final int MAX_PROBLEMS = 50;

  private final List<ManifestProblem> problems = new ArrayList<>();

  /** Adds the problem that the value at {@code path} violates {@code rule}. */
  public void problem(YamlNode node, String path, String rule) {
    String value = node instanceof YamlNode.Scalar scalar ? scalar.text() : "";
    problems.add(new ManifestProblem(node.line(), node.column(), path, value, rule));
    if (problems.size() >= MAX_PROBLEMS) {
      throw new ManifestException(problems);
    }
  }

  public void requireNone() {
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
  }

  boolean isClean() {
    return problems.isEmpty();
  }

  /** The fields of a mapping by name; unknown and repeated ones are problems. */
  public Map<String, YamlNode> fields(YamlNode node, String path, Set<String> known) {
    Map<String, YamlNode> fields = new LinkedHashMap<>();
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problem(node, path, "must be names with values, some of " + new TreeSet<>(known));
      return fields;
    }
    for (YamlNode.Field field : mapping.fields()) {
      String name = field.name().text();
      if (!known.contains(name)) {
        problem(field.name(), path, "is not known here: one of " + new TreeSet<>(known));
      } else if (fields.put(name, field.value()) != null) {
        problem(field.name(), path, "is there twice");
      }
    }
    return fields;
  }

  public Map<YamlNode.Scalar, YamlNode> entries(YamlNode node, String path) {
    Map<YamlNode.Scalar, YamlNode> entries = new LinkedHashMap<>();
    if (!(node instanceof YamlNode.Mapping mapping)) {
      problem(node, path, "must be names with values");
      return entries;
    }
    Set<String> seen = new TreeSet<>();
    for (YamlNode.Field field : mapping.fields()) {
      if (seen.add(field.name().text())) {
        entries.put(field.name(), field.value());
      } else {
        problem(field.name(), path, "is there twice");
      }
    }
    return entries;
  }

  /** A text, null when it is not one. */
  public @Nullable String text(@Nullable YamlNode node, String path) {
    if (node == null) {
      return null;
    }
    if (node instanceof YamlNode.Scalar scalar) {
      return scalar.text();
    }
    problem(node, path, "must be a text");
    return null;
  }

  /** True or false, null when it is neither. */
  public @Nullable Boolean flag(@Nullable YamlNode node, String path) {
    if (node == null) {
      return null;
    }
    String text = node instanceof YamlNode.Scalar scalar && scalar.plain() ? scalar.text() : "";
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    problem(node, path, "must be true or false");
    return null;
  }

  /** A number with at most {@code decimals} places, null when it is not one. */
  public @Nullable BigDecimal number(@Nullable YamlNode node, String path, int decimals) {
    if (node == null) {
      return null;
    }
    if (node instanceof YamlNode.Scalar scalar
        && scalar.plain()
        && scalar.text().matches("[0-9]{1,16}(\\.[0-9]{1,3})?")) {
      BigDecimal number = new BigDecimal(scalar.text());
      if (number.stripTrailingZeros().scale() <= decimals) {
        return number;
      }
    }
    problem(
        node,
        path,
        decimals == 0
            ? "must be a whole number"
            : "must be a number with at most " + decimals + " decimals");
    return null;
  }

  /** Texts by name. */
  @Nullable SortedMap<String, String> texts(@Nullable YamlNode node, String path) {
    if (node == null) {
      return null;
    }
    SortedMap<String, String> texts = new TreeMap<>();
    entries(node, path)
        .forEach(
            (name, value) -> {
              String text = text(value, path + "." + name.text());
              if (text != null) {
                texts.put(name.text(), text);
              }
            });
    return texts;
  }

  /** The result of {@code make}, null when it throws: then its message is the rule. */
  public <T> @Nullable T checked(YamlNode node, String path, Supplier<T> make) {
    try {
      return make.get();
    } catch (IllegalArgumentException e) {
      problem(node, path, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
