package dev.millrace.regions.internal.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The stored form of a snapshot, in memory: gzipped it is small, 64 MiB at the very most. The text
 * is never held as a whole.
 */
public final class EncodedSnapshot {
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
    String sha256 = writer.end();
    return new EncodedSnapshot(bytes.toByteArray(), sha256);
  }

  public int size() {
    return gzipped.length;
  }

  /** The digest of the text, in lower-case hexadecimal digits. */
  public String sha256() {
    return sha256;
  }

  public byte[] toByteArray() {
    return gzipped.clone();
  }

  InputStream open() {
    return new ByteArrayInputStream(gzipped);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }
}
