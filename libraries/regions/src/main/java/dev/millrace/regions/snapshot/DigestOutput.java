package dev.millrace.regions.snapshot;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;

/** A stream that counts and digests its bytes; more than a limit is an error. */
final class DigestOutput extends FilterOutputStream {
  private final MessageDigest digest = Digests.sha256();
  private final long mostBytes;
  private long bytes;

  DigestOutput(OutputStream out, long mostBytes) {
    super(out);
    this.mostBytes = mostBytes;
  }

  long bytes() {
    return bytes;
  }

  String sha256() {
    return Digests.hex(digest);
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
