package dev.millrace.regions.snapshot;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/** A stream that counts and digests its bytes; more than a limit is refused before it is parsed. */
final class DigestInput extends FilterInputStream {
  private final MessageDigest digest = Digests.sha256();
  private final String what;
  private final long mostBytes;
  private long bytes;

  DigestInput(InputStream in, String what, long mostBytes) {
    super(in);
    this.what = what;
    this.mostBytes = mostBytes;
  }

  String sha256() {
    return Digests.hex(digest);
  }

  long bytes() {
    return bytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] b, int off, int len) throws IOException {
    int read = in.read(b, off, len);
    if (read > 0) {
      bytes += read;
      if (bytes > mostBytes) {
        throw new SnapshotRefusedException(
            SnapshotRefusal.TOO_LARGE, "more than " + mostBytes + " bytes, " + what);
      }
      digest.update(b, off, read);
    }
    return read;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
