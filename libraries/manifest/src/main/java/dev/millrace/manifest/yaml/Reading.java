package dev.millrace.manifest.yaml;

import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.Problem;
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
public final class Reading {
  /** Most problems that are reported: another kind of file could have millions. */
  private static final int MAX_PROBLEMS = 50;

  private final List<Problem> problems = new ArrayList<>();

  /** Adds the problem that the value at {@code path} violates {@code rule}. */
  public void problem(Node node, String path, String rule) {
    String value = node instanceof Node.Scalar scalar ? scalar.text() : "";
    problems.add(new Problem(node.line(), node.column(), path, value, rule));
    if (problems.size() >= MAX_PROBLEMS) {
      throw new ManifestException(problems);
    }
  }

  /** Throws when there were problems. */
  public void requireNone() {
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
  }

  boolean isClean() {
    return problems.isEmpty();
  }

  /** The fields of a mapping by name; unknown and repeated ones are problems. */
  public Map<String, Node> fields(Node node, String path, Set<String> known) {
    Map<String, Node> fields = new LinkedHashMap<>();
    if (!(node instanceof Node.Mapping mapping)) {
      problem(node, path, "must be names with values, some of " + new TreeSet<>(known));
      return fields;
    }
    for (Node.Field field : mapping.fields()) {
      String name = field.name().text();
      if (!known.contains(name)) {
        problem(field.name(), path, "is not known here: one of " + new TreeSet<>(known));
      } else if (fields.put(name, field.value()) != null) {
        problem(field.name(), path, "is there twice");
      }
    }
    return fields;
  }

  /** Names with values, with any names. */
  public Map<Node.Scalar, Node> entries(Node node, String path) {
    Map<Node.Scalar, Node> entries = new LinkedHashMap<>();
    if (!(node instanceof Node.Mapping mapping)) {
      problem(node, path, "must be names with values");
      return entries;
    }
    Set<String> seen = new TreeSet<>();
    for (Node.Field field : mapping.fields()) {
      if (seen.add(field.name().text())) {
        entries.put(field.name(), field.value());
      } else {
        problem(field.name(), path, "is there twice");
      }
    }
    return entries;
  }

  /** A text, null when it is not one. */
  public @Nullable String text(@Nullable Node node, String path) {
    if (node == null) {
      return null;
    }
    if (node instanceof Node.Scalar scalar) {
      return scalar.text();
    }
    problem(node, path, "must be a text");
    return null;
  }

  /** True or false, null when it is neither. */
  public @Nullable Boolean flag(@Nullable Node node, String path) {
    if (node == null) {
      return null;
    }
    String text = node instanceof Node.Scalar scalar && scalar.plain() ? scalar.text() : "";
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    problem(node, path, "must be true or false");
    return null;
  }

  /** A number with at most {@code decimals} places, null when it is not one. */
  public @Nullable BigDecimal number(@Nullable Node node, String path, int decimals) {
    if (node == null) {
      return null;
    }
    if (node instanceof Node.Scalar scalar
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
  @Nullable SortedMap<String, String> texts(@Nullable Node node, String path) {
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
  public <T> @Nullable T checked(Node node, String path, Supplier<T> make) {
    try {
      return make.get();
    } catch (IllegalArgumentException e) {
      problem(node, path, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
