package dev.millrace.manifest.internal;

import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
import java.io.Reader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/**
 * A parser of YAML, event by event. Everything but plain data is refused: anchors and aliases, by
 * which a small file becomes a large one, tags, by which a text becomes another type, and further
 * documents.
 */
public final class YamlReader {
  /** Most characters of a file. */
  static final int MAX_CHARACTERS = 100_000_000;

  /** Deepest nesting of one part. */
  private static final int MAX_DEPTH = 12;

  /** Most nodes of one part: an entity with more limits than this is a mistake. */
  private static final int MAX_NODES = 100_000;

  private final Iterator<Event> events;
  private @Nullable Event next;
  private int nodes;

  private YamlReader(Iterator<Event> events) {
    this.events = events;
  }

  static YamlReader of(Reader reader) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(MAX_CHARACTERS);
    return new YamlReader(new Yaml(new SafeConstructor(options)).parse(reader).iterator());
  }

  /**
   * A whole file that holds one document.
   *
   * @throws ManifestException when it is not YAML, or holds none or several
   */
  public static YamlNode document(Reader reader) {
    YamlReader nodes = of(reader);
    nodes.take(); // the stream begins
    if (nodes.isNext(Event.ID.StreamEnd)) {
      throw refused(nodes.peek(), "(file)", "is empty");
    }
    nodes.take(); // the document begins
    YamlNode whole = nodes.node("(file)");
    nodes.take(); // the document ends
    if (!nodes.isNext(Event.ID.StreamEnd)) {
      throw refused(nodes.peek(), "(file)", "must be one document");
    }
    return whole;
  }

  /** The next event, without consuming it. */
  Event peek() {
    Event known = next;
    if (known == null) {
      try {
        known = events.next();
      } catch (MarkedYAMLException e) {
        throw broken(e.getProblemMark(), e.getProblem());
      } catch (YAMLException e) {
        throw broken(null, e.getMessage());
      }
      next = known;
    }
    return known;
  }

  Event take() {
    Event taken = peek();
    next = null;
    return taken;
  }

  boolean isNext(Event.ID id) {
    return peek().is(id);
  }

  YamlNode node(String path) {
    nodes = 0;
    return node(path, 0);
  }

  private YamlNode node(String path, int depth) {
    Event event = take();
    int line = line(event);
    int column = column(event);
    if (depth > MAX_DEPTH || ++nodes > MAX_NODES) {
      throw refused(event, path, "is nested too deeply, or too large");
    }
    requirePlainData(event, path);
    if (event instanceof ScalarEvent scalar) {
      return new YamlNode.Scalar(scalar.getValue(), scalar.isPlain(), line, column);
    }
    if (event.is(Event.ID.SequenceStart)) {
      List<YamlNode> items = new ArrayList<>();
      while (!isNext(Event.ID.SequenceEnd)) { // ends: every file does, and nodes are counted
        items.add(node(path + "[" + items.size() + "]", depth + 1));
      }
      take();
      return new YamlNode.Sequence(items, line, column);
    }
    List<YamlNode.Field> fields = new ArrayList<>();
    while (!isNext(Event.ID.MappingEnd)) { // ends: as above
      YamlNode.Scalar name = name(path);
      fields.add(new YamlNode.Field(name, node(path + "." + name.text(), depth + 1)));
    }
    take();
    return new YamlNode.Mapping(fields, line, column);
  }

  YamlNode.Scalar name(String path) {
    Event event = take();
    requirePlainData(event, path);
    if (!(event instanceof ScalarEvent scalar)) {
      throw refused(event, path, "a name must be a text");
    }
    return new YamlNode.Scalar(scalar.getValue(), scalar.isPlain(), line(event), column(event));
  }

  private static void requirePlainData(Event event, String path) {
    if (event instanceof AliasEvent
        || (event instanceof NodeEvent node && node.getAnchor() != null)) {
      throw refused(event, path, "anchors and aliases are not allowed: write it out");
    }
    if (event instanceof ScalarEvent scalar && scalar.getTag() != null) {
      throw refused(event, path, "tags are not allowed: write the value alone");
    }
  }

  static ManifestException refused(Event event, String path, String rule) {
    return new ManifestException(
        List.of(new ManifestProblem(line(event), column(event), path, "", rule)));
  }

  private static ManifestException broken(@Nullable Mark mark, @Nullable String problem) {
    int line = mark == null ? 0 : mark.getLine() + 1;
    int column = mark == null ? 0 : mark.getColumn() + 1;
    return new ManifestException(
        List.of(new ManifestProblem(line, column, "(file)", "", "is not YAML: " + problem)));
  }

  static int line(Event event) {
    Mark mark = event.getStartMark();
    return mark == null ? 0 : mark.getLine() + 1;
  }

  static int column(Event event) {
    Mark mark = event.getStartMark();
    return mark == null ? 0 : mark.getColumn() + 1;
  }
}
