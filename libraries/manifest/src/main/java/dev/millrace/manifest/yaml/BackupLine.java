package dev.millrace.manifest.yaml;

import dev.millrace.manifest.EntitySpec;
import dev.millrace.manifest.LevelSpec;
import dev.millrace.manifest.SpecSink;
import java.io.StringReader;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One part on a line of JSON, which is YAML too: {@code {"entity":"key-42","is":{…}}}. So a backup
 * may contain what a manifest may, checked by the same rules.
 */
public final class BackupLine {
  private static final Set<String> FIELDS =
      Set.of(
          "system",
          "resource",
          "entity",
          "is",
          "format",
          "version",
          "namespace",
          "createdAt",
          "end",
          "sha256");

  private final Map<String, YamlNode> fields;
  private final NodeValues reading = new NodeValues();

  private BackupLine(String line) {
    YamlReader nodes = YamlReader.of(new StringReader(line));
    nodes.take();
    nodes.take();
    this.fields = reading.fields(nodes.node("(line)"), "(line)", FIELDS);
    reading.requireNone();
  }

  /**
   * Reads a line.
   *
   * @throws dev.millrace.manifest.ManifestException when it is not JSON, or not of a backup
   */
  public static BackupLine of(String line) {
    return new BackupLine(line);
  }

  /** The text of a field, null when there is none. */
  public @Nullable String text(String field) {
    return reading.text(fields.get(field), field);
  }

  /** Passes the part on; lines without one pass on nothing. */
  public void emit(SpecSink sink) {
    SpecParser pieces = new SpecParser(reading, /* reservedAllowed= */ true);
    YamlNode system = fields.get("system");
    YamlNode is = fields.get("is");
    if (system != null) {
      sink.system(pieces.system(system));
    } else if (is != null && fields.get("resource") instanceof YamlNode.Scalar name) {
      LevelSpec spec = pieces.resource(name, is);
      reading.requireNone();
      if (spec != null) {
        sink.resource(name.text(), spec);
      }
    } else if (is != null && fields.get("entity") instanceof YamlNode.Scalar id) {
      EntitySpec spec = pieces.entity(id, is);
      reading.requireNone();
      if (spec != null) {
        sink.entity(spec);
      }
    }
    reading.requireNone();
  }
}
