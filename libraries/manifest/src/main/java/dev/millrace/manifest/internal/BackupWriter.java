package dev.millrace.manifest.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A writer of backups: gzipped lines of JSON. The first line identifies the format, the last has
 * the number of lines and their checksum, so that half a file is not taken for a whole one.
 */
public final class BackupWriter implements SpecSink, AutoCloseable {
  /** The identifier in the first line. */
  static final String FORMAT = "millrace-backup";

  /** The version of the format. */
  static final int VERSION = 1;

  private static final JsonFactory JSON = new JsonFactory();

  private final OutputStream out;
  private final LineChecksum checksum = new LineChecksum();
  private long lines;

  /** Begins a backup of {@code namespace}. */
  public BackupWriter(OutputStream out, String namespace, Instant now) {
    try {
      this.out = new GZIPOutputStream(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("format", FORMAT);
    header.put("version", VERSION);
    header.put("namespace", namespace);
    header.put("createdAt", now.toString());
    line(header);
  }

  @Override
  public void system(SystemSpec spec) {
    line(Map.of("system", SpecFields.of(spec)));
  }

  @Override
  public void resource(String name, LevelSpec spec) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("resource", name);
    line.put("is", SpecFields.of(spec));
    line(line);
  }

  @Override
  public void entity(EntitySpec spec) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("entity", spec.id());
    line.put("is", SpecFields.of(spec, /* withReserved= */ true));
    line(line);
  }

  public long lines() {
    return lines;
  }

  /** Ends the backup; without its last line it is invalid. */
  public void end() {
    Map<String, Object> end = new LinkedHashMap<>();
    end.put("end", lines);
    end.put("sha256", checksum.text());
    line(end);
  }

  private void line(Map<String, Object> fields) {
    byte[] bytes = (text(fields) + "\n").getBytes(StandardCharsets.UTF_8);
    checksum.add(bytes);
    lines++;
    try {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Map<String, Object> fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      write(json, fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> each : map.entrySet()) {
        json.writeFieldName(String.valueOf(each.getKey()));
        write(json, each.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object each : list) {
        write(json, each);
      }
      json.writeEndArray();
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value instanceof BigDecimal number) {
      json.writeNumber(number.toPlainString());
    } else if (value instanceof Number number) {
      json.writeNumber(number.longValue());
    } else {
      json.writeString(String.valueOf(value));
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A checksum of lines. */
  static final class LineChecksum {
    private final MessageDigest digest;

    LineChecksum() {
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every Java has it", e);
      }
    }

    void add(byte[] bytes) {
      digest.update(bytes);
    }

    /** The checksum of all lines so far; more may follow. */
    String text() {
      try {
        return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("This one can be", e);
      }
    }
  }
}
