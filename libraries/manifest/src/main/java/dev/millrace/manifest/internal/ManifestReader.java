package dev.millrace.manifest.internal;

import dev.millrace.NameRules;
import java.io.Reader;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.events.Event;

/**
 * A reader of manifests, part by part: only one entity is in memory, and the names of all.
 *
 * <pre>{@code
 * version: 1
 * system:
 *   limits: [rpm:1000/min]
 * resources:
 *   gpt-4:
 *     limits: [rpm:100/min, {name: tpm, rate: 10000, burst: 20000}]
 * entities:
 *   key-42:
 *     parent: acme
 *     cascade: true
 *     resources:
 *       gpt-4: {limits: [rpm:10/min]}
 * }</pre>
 */
public final class ManifestReader {
  /** The fields at the top. */
  static final Set<String> TOP =
      Set.of(
          "version", "name", "namespace", "allowOtherPeriods", "system", "resources", "entities");

  private static final String VERSION = "1";

  private final YamlReader nodes;
  private final YamlValues values = new YamlValues();
  private final SpecParser parser = new SpecParser(values, /* reservedAllowed= */ false);
  private final SpecSink sink;
  private final Set<String> seen = new HashSet<>();
  private String name = ManifestHeader.DEFAULT_NAME;
  private @Nullable String namespace;
  private boolean allowOtherPeriods;

  private ManifestReader(YamlReader nodes, SpecSink sink) {
    this.nodes = nodes;
    this.sink = sink;
  }

  /**
   * Reads all of a manifest.
   *
   * @throws dev.millrace.manifest.ManifestException when any of it is wrong
   */
  public static ManifestHeader read(Reader reader, SpecSink sink) {
    return new ManifestReader(YamlReader.of(reader), sink).document();
  }

  private ManifestHeader document() {
    nodes.take(); // the stream begins
    if (nodes.isNext(Event.ID.StreamEnd)) {
      throw YamlReader.refused(nodes.peek(), "(file)", "is empty: begin with version: 1");
    }
    nodes.take(); // the document begins
    if (!nodes.isNext(Event.ID.MappingStart)) {
      throw YamlReader.refused(
          nodes.peek(), "(file)", "must be names with values, such as version: 1");
    }
    Event start = nodes.take();
    while (!nodes.isNext(Event.ID.MappingEnd)) { // ends: every file does
      top(nodes.name("(file)"));
    }
    nodes.take();
    nodes.take(); // the document ends
    if (!nodes.isNext(Event.ID.StreamEnd)) {
      throw YamlReader.refused(nodes.peek(), "(file)", "must be one document");
    }
    if (!seen.contains("version")) {
      throw YamlReader.refused(start, "version", "must be there: version: 1");
    }
    values.requireNone();
    return new ManifestHeader(name, namespace, allowOtherPeriods);
  }

  private void top(YamlNode.Scalar field) {
    String what = field.text();
    if (!TOP.contains(what)) {
      values.problem(field, "(file)", "is not known here: one of " + new java.util.TreeSet<>(TOP));
      nodes.node(what);
      return;
    }
    if (!seen.add(what)) {
      values.problem(field, "(file)", "is there twice");
    }
    switch (what) {
      case "entities" -> each("entities", this::entity);
      case "resources" -> each("resources", this::resource);
      case "system" -> {
        YamlNode node = nodes.node("system");
        sink.at(field.line(), field.column());
        sink.system(parser.system(node));
      }
      default -> header(what, nodes.node(what));
    }
  }

  private void header(String what, YamlNode node) {
    if (what.equals("allowOtherPeriods")) {
      allowOtherPeriods = Boolean.TRUE.equals(values.flag(node, what));
      return;
    }
    String text = values.text(node, what);
    if (text == null) {
      return;
    }
    if (what.equals("version")) {
      if (!text.equals(VERSION)) {
        values.problem(node, what, "must be " + VERSION);
      }
      return;
    }
    String checked = values.checked(node, what, () -> NameRules.requireNamespace(text));
    if (checked != null && what.equals("name")) {
      name = checked;
    } else {
      namespace = checked;
    }
  }

  /** Parses a field with its value. */
  private interface Piece {
    void read(YamlNode.Scalar name, YamlNode value);
  }

  private void each(String what, Piece piece) {
    if (!nodes.isNext(Event.ID.MappingStart)) {
      values.problem(nodes.node(what), what, "must be names with values");
      return;
    }
    nodes.take();
    Set<String> names = new HashSet<>();
    while (!nodes.isNext(Event.ID.MappingEnd)) { // ends: every file does
      YamlNode.Scalar key = nodes.name(what);
      YamlNode value = nodes.node(what + "." + key.text());
      if (names.add(key.text())) {
        piece.read(key, value);
      } else {
        values.problem(key, what, "is there twice");
      }
    }
    nodes.take();
  }

  private void resource(YamlNode.Scalar key, YamlNode value) {
    LevelSpec spec = parser.resource(key, value);
    if (spec != null) {
      sink.at(key.line(), key.column());
      sink.resource(key.text(), spec);
    }
  }

  private void entity(YamlNode.Scalar key, YamlNode value) {
    EntitySpec spec = parser.entity(key, value);
    if (spec != null) {
      sink.at(key.line(), key.column());
      sink.entity(spec);
    }
  }
}
