package dev.millrace.regions.internal.snapshot;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.Limit;
import dev.millrace.regions.EvictionSeal;
import dev.millrace.regions.internal.ledger.TransferRow;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.ToLongFunction;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A writer of snapshots, row by row; it holds no more than the rows of one entity.
 *
 * <p>Consecutive rows of the same entity share its name, and are written in columns: numbers of one
 * kind beside each other compress best. Names of resources and limits are written once and referred
 * to by number afterwards.
 */
public final class SnapshotWriter {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BUFFER = 1 << 16;

  private final SnapshotHeader header;
  private final DigestOutput raw;
  private final JsonGenerator json;
  private final NameNumbers<String> resources = new NameNumbers<>();
  private final NameNumbers<Kind> kinds = new NameNumbers<>();
  private final NameNumbers<String> regions = new NameNumbers<>();
  private final List<SnapshotRow> group = new ArrayList<>();
  private int rows;

  private record Kind(String limit, long capacityMilli) {}

  private SnapshotWriter(SnapshotHeader header, OutputStream out) throws IOException {
    this.header = header;
    DigestOutput gzipped = new DigestOutput(out, SnapshotFormat.MAX_GZIPPED_BYTES);
    this.raw = new DigestOutput(new BestGzip(gzipped), SnapshotFormat.MAX_RAW_BYTES);
    this.json = JSON.createGenerator(raw);
  }

  private static final class BestGzip extends GZIPOutputStream {
    BestGzip(OutputStream out) throws IOException {
      super(out, BUFFER);
      def.setLevel(Deflater.BEST_COMPRESSION);
      // Most bytes are digits without a pattern: short matches cost more than they save, a tenth.
      def.setStrategy(Deflater.FILTERED);
    }
  }

  /** Begins a snapshot. The caller closes {@code out}. */
  public static SnapshotWriter begin(SnapshotHeader header, OutputStream out) throws IOException {
    SnapshotWriter writer = new SnapshotWriter(header, out);
    writer.header();
    return writer;
  }

  private void header() throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", SnapshotFormat.VERSION);
    json.writeStringField("region", header.region());
    json.writeNumberField("sequence", header.sequence());
    json.writeNumberField("writtenAtMs", header.writtenAtMs());
    json.writeNumberField("windowMs", header.windowMs());
    json.writeArrayFieldStart("seals");
    for (EvictionSeal seal : header.seals()) {
      json.writeStartArray();
      names(seal.dead());
      names(seal.survivors());
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeNumberField("count", header.count());
    json.writeArrayFieldStart("entities");
  }

  private void names(Collection<String> names) throws IOException {
    json.writeStartArray();
    for (String name : names) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  /** Adds a row. Those of one entity should be consecutive. */
  public void add(SnapshotRow row) throws IOException {
    if (!group.isEmpty()
        && (group.size() == SnapshotFormat.MAX_GROUP
            || !group.get(0).key().entityId().equals(row.key().entityId()))) {
      flush();
    }
    group.add(row);
    rows++;
  }

  /** Ends the snapshot and returns the digest of its text; all rows must have been added. */
  public String end() throws IOException {
    flush();
    if (rows != header.count()) {
      throw new IllegalStateException("rows: " + rows + " were added of " + header.count());
    }
    json.writeEndArray();
    json.writeEndObject();
    json.close();
    return raw.sha256();
  }

  private void flush() throws IOException {
    if (group.isEmpty()) {
      return;
    }
    json.writeStartArray();
    json.writeString(group.get(0).key().entityId());
    resources();
    kinds();
    // Calls mostly cost whole tokens: then the second column is empty.
    column(row -> Math.floorDiv(row.consumedMilli(), Limit.MILLI));
    column(row -> Math.floorMod(row.consumedMilli(), Limit.MILLI));
    column(SnapshotRow::tokensMilli);
    column(SnapshotRow::sharePpm);
    column(SnapshotRow::refused);
    transfers();
    json.writeEndArray();
    group.clear();
  }

  private void resources() throws IOException {
    json.writeStartArray();
    for (SnapshotRow row : group) {
      text(resources, row.key().resource());
    }
    json.writeEndArray();
  }

  private void text(NameNumbers<String> names, String name) throws IOException {
    Integer number = names.find(name);
    if (number == null) {
      json.writeString(name);
    } else {
      json.writeNumber(number);
    }
  }

  private void kinds() throws IOException {
    json.writeStartArray();
    for (SnapshotRow row : group) {
      Integer number = kinds.find(new Kind(row.key().limit(), row.capacityMilli()));
      if (number == null) {
        json.writeStartArray();
        json.writeString(row.key().limit());
        json.writeNumber(row.capacityMilli());
        json.writeEndArray();
      } else {
        json.writeNumber(number);
      }
    }
    json.writeEndArray();
  }

  /** A column that is zero in all rows is empty. */
  private void column(ToLongFunction<SnapshotRow> number) throws IOException {
    json.writeStartArray();
    boolean zero = true;
    for (SnapshotRow row : group) {
      zero &= number.applyAsLong(row) == 0;
    }
    if (!zero) {
      for (SnapshotRow row : group) {
        json.writeNumber(number.applyAsLong(row));
      }
    }
    json.writeEndArray();
  }

  private void transfers() throws IOException {
    json.writeStartArray();
    for (int i = 0; i < group.size(); i++) {
      transfers(i, SnapshotFormat.GAVE, group.get(i).dealings().gave());
      transfers(i, SnapshotFormat.GOT, group.get(i).dealings().got());
    }
    json.writeEndArray();
  }

  private void transfers(int index, int kind, SortedMap<String, TransferRow> rows)
      throws IOException {
    for (Map.Entry<String, TransferRow> row : rows.entrySet()) {
      json.writeNumber(index);
      json.writeNumber(kind);
      text(regions, row.getKey());
      json.writeNumber(row.getValue().ppm());
      json.writeNumber(row.getValue().milli());
    }
  }

  /** The names already written in full, with their numbers; bounded. */
  private static final class NameNumbers<T> {
    private final Map<T, Integer> numbers = new HashMap<>();

    /** The number of {@code value}, or null when it must be written in full. */
    @Nullable Integer find(T value) {
      Integer number = numbers.get(value);
      if (number == null && numbers.size() < SnapshotFormat.MAX_NUMBERED) {
        numbers.put(value, numbers.size());
      }
      return number;
    }
  }

  /** A stream that counts and digests its bytes; more than a limit is an error. */
  private static final class DigestOutput extends FilterOutputStream {
    private final MessageDigest digest = EncodedSnapshot.digest();
    private final long mostBytes;
    private long bytes;

    DigestOutput(OutputStream out, long mostBytes) {
      super(out);
      this.mostBytes = mostBytes;
    }

    String sha256() {
      return EncodedSnapshot.hex(digest);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] b, int off, int len) throws IOException {
      bytes += len;
      if (bytes > mostBytes) {
        throw new IOException("snapshot has more than " + mostBytes + " bytes");
      }
      digest.update(b, off, len);
      out.write(b, off, len);
    }
  }
}
