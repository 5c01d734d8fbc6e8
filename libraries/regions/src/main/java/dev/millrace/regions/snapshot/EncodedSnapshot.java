package dev.millrace.regions.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The stored form of a snapshot, in memory: gzipped it is small, 64 MiB at the very most. The text
 * is never held as a whole.
 */
public final class EncodedSnapshot implements SnapshotContent {
  private final byte[] gzipped;
  private final String sha256;

  /**
   * A snapshot that was read.
   *
   * @param gzipped is not copied
   * @param sha256 of the text, as received
   */
  public EncodedSnapshot(byte[] gzipped, String sha256) {
    this.gzipped = gzipped;
    this.sha256 = sha256;
  }

  /** Encodes {@code rows}, as many as the header says. */
  public static EncodedSnapshot of(SnapshotHeader header, Iterable<SnapshotRow> rows)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SnapshotWriter writer = SnapshotWriter.begin(header, bytes);
    for (SnapshotRow row : rows) {
      writer.add(row);
    }
    SnapshotWriter.Written written = writer.end();
    return new EncodedSnapshot(bytes.toByteArray(), written.sha256());
  }

  /** The number of stored bytes. */
  public int size() {
    return gzipped.length;
  }

  /** The digest of the text, in lower-case hexadecimal digits. */
  public String sha256() {
    return sha256;
  }

  /** The stored bytes. */
  public byte[] toByteArray() {
    return gzipped.clone();
  }

  @Override
  public InputStream open() {
    return new ByteArrayInputStream(gzipped);
  }
}
