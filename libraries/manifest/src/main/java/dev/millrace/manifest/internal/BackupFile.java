package dev.millrace.manifest.internal;

import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A backup in a file. It is refused as a whole when a line is missing, changed or invalid; since
 * that is only known at its end, a caller reads it once before it uses it.
 *
 * @param path the path of the file
 */
public record BackupFile(Path path) implements SpecSource {
  /** Longest line: one entity with all its limits. */
  private static final int MAX_LINE = 10_000_000;

  @Override
  public ManifestHeader read(SpecSink sink) {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(path)), StandardCharsets.UTF_8))) {
      return read(reader, sink);
    } catch (IOException e) {
      throw refused(0, "cannot be read, or is cut off: " + e.getMessage());
    }
  }

  private ManifestHeader read(BufferedReader reader, SpecSink sink) throws IOException {
    BackupWriter.LineChecksum checksum = new BackupWriter.LineChecksum();
    int lines = 0;
    String namespace = null;
    boolean ended = false;
    String line;
    while ((line = reader.readLine()) != null) { // ends: the file does
      int number = lines + 1;
      if (ended || line.length() > MAX_LINE) {
        throw refused(number, ended ? "there is more after the end" : "the line is too long");
      }
      String text = line;
      Line piece = at(number, () -> new Line(text));
      if (number == 1) {
        namespace = header(piece);
      } else if (piece.text("end") != null) {
        end(piece, lines, checksum);
        ended = true;
      } else {
        sink.at(number, 1);
        at(number, () -> piece.emit(sink));
      }
      checksum.add((line + "\n").getBytes(StandardCharsets.UTF_8));
      lines++;
    }
    if (!ended) {
      throw refused(lines, "is cut off: the last line is missing");
    }
    return new ManifestHeader(
        ManifestHeader.DEFAULT_NAME, namespace, /* allowOtherPeriods= */ true);
  }

  /** Errors of {@code work} are reported at the line of the file. */
  private static <T> T at(int number, Supplier<T> work) {
    try {
      return work.get();
    } catch (ManifestException e) {
      throw moved(e, number);
    }
  }

  /** The lines of a part count from itself; those of the file from its beginning. */
  private static ManifestException moved(ManifestException e, int number) {
    return new ManifestException(
        e.problems().stream()
            .map(
                each ->
                    new ManifestProblem(
                        number, each.column(), each.path(), each.value(), each.rule()))
            .toList());
  }

  private @Nullable String header(Line piece) {
    if (!BackupWriter.FORMAT.equals(piece.text("format"))) {
      throw refused(1, "is not a backup of Millrace");
    }
    if (!String.valueOf(BackupWriter.VERSION).equals(piece.text("version"))) {
      throw refused(
          1,
          "is of version %s, and this software reads %d"
              .formatted(piece.text("version"), BackupWriter.VERSION));
    }
    return piece.text("namespace");
  }

  private void end(Line piece, int lines, BackupWriter.LineChecksum checksum) {
    if (!String.valueOf(lines).equals(piece.text("end"))) {
      throw refused(lines + 1, "lines are missing: expected " + piece.text("end"));
    }
    if (!checksum.text().equals(piece.text("sha256"))) {
      throw refused(lines + 1, "the checksum differs: the file was changed");
    }
  }

  private ManifestException refused(int line, String rule) {
    return new ManifestException(List.of(new ManifestProblem(line, 1, path.toString(), "", rule)));
  }

  /**
   * One part on a line of JSON, which is YAML too: {@code {"entity":"key-42","is":{…}}}. So a
   * backup may contain what a manifest may, checked by the same rules.
   */
  private static final class Line {
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
    private final YamlValues values = new YamlValues();

    Line(String line) {
      YamlReader nodes = YamlReader.of(new StringReader(line));
      nodes.take();
      nodes.take();
      this.fields = values.fields(nodes.node("(line)"), "(line)", FIELDS);
      values.requireNone();
    }

    /** The text of a field, null when there is none. */
    @Nullable String text(String field) {
      return values.text(fields.get(field), field);
    }

    /** Passes the part on; lines without one pass on nothing. */
    boolean emit(SpecSink sink) {
      SpecParser parser = new SpecParser(values, /* reservedAllowed= */ true);
      YamlNode system = fields.get("system");
      YamlNode is = fields.get("is");
      if (system != null) {
        sink.system(parser.system(system));
      } else if (is != null && fields.get("resource") instanceof YamlNode.Scalar name) {
        LevelSpec spec = parser.resource(name, is);
        values.requireNone();
        if (spec != null) {
          sink.resource(name.text(), spec);
        }
      } else if (is != null && fields.get("entity") instanceof YamlNode.Scalar id) {
        EntitySpec spec = parser.entity(id, is);
        values.requireNone();
        if (spec != null) {
          sink.entity(spec);
        }
      }
      values.requireNone();
      return true;
    }
  }
}
