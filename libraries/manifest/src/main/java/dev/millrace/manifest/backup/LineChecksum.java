package dev.millrace.manifest.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A checksum of lines. */
final class LineChecksum {
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
