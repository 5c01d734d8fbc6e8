package dev.millrace.regions.internal.snapshot;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A reader of snapshots from other regions, which uses nothing before it has checked all of it: the
 * first pass checks every byte, the second one passes the rows on. So memory does not grow with the
 * snapshot, and a refused snapshot has changed nothing.
 */
public final class SnapshotReader {
  private static final int BUFFER = 1 << 16;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(SnapshotFormat.MAX_DEPTH)
                  .maxNumberLength(SnapshotFormat.MAX_NUMBER)
                  .maxStringLength(SnapshotFormat.MAX_TEXT)
                  .maxNameLength(SnapshotFormat.MAX_TEXT)
                  .build())
          // Names come from outside; they are not kept beyond the reading of one snapshot.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private SnapshotReader() {}

  /**
   * Reads the snapshot of {@code region} into {@code sink}, or returns the reason why not.
   *
   * @throws IOException when its bytes could not be read, which says nothing about their content
   */
  public static SnapshotReadResult read(String region, EncodedSnapshot snapshot, SnapshotSink sink)
      throws IOException {
    try {
      SnapshotReadResult.Accepted accepted =
          pass(
              region,
              snapshot,
              (header, row) -> {
                if (sink.isShrunk(header, row)) {
                  throw new SnapshotParser.RefusedException(
                      SnapshotRefusal.SHRUNK, row.key() + " has less in a row than it had before");
                }
              });
      sink.header(accepted.header());
      pass(region, snapshot, sink::row);
      return accepted;
    } catch (SnapshotParser.RefusedException e) {
      return new SnapshotReadResult.Refused(e.refusal(), e.getMessage() + "");
    } catch (EOFException | JsonEOFException e) {
      return new SnapshotReadResult.Refused(SnapshotRefusal.TRUNCATED, "it ends too early");
    } catch (StreamConstraintsException e) {
      return new SnapshotReadResult.Refused(
          SnapshotRefusal.TOO_LARGE, first(e.getOriginalMessage()));
    } catch (JacksonException e) {
      return new SnapshotReadResult.Refused(
          SnapshotRefusal.MALFORMED, first(e.getOriginalMessage()));
    } catch (ZipException e) {
      return new SnapshotReadResult.Refused(
          SnapshotRefusal.MALFORMED, "it is not gzipped: " + e.getMessage());
    }
  }

  private static SnapshotReadResult.Accepted pass(
      String region, EncodedSnapshot snapshot, SnapshotParser.Rows rows) throws IOException {
    try (DigestInput gzipped =
            new DigestInput(snapshot.open(), "gzipped", SnapshotFormat.MAX_GZIPPED_BYTES);
        DigestInput raw =
            new DigestInput(
                new GZIPInputStream(gzipped, BUFFER), "unpacked", SnapshotFormat.MAX_RAW_BYTES);
        JsonParser json = JSON.createParser(raw)) {
      // Parses up to the last byte, so all of them are digested.
      SnapshotHeader header = new SnapshotParser(json, region).parse(rows);
      if (!raw.sha256().equals(snapshot.sha256())) {
        throw new SnapshotParser.RefusedException(
            SnapshotRefusal.WRONG_CHECKSUM, "its checksum is not " + snapshot.sha256());
      }
      return new SnapshotReadResult.Accepted(header, raw.bytes());
    }
  }

  private static String first(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  /**
   * A stream that counts and digests its bytes; more than a limit is refused before it is parsed.
   */
  private static final class DigestInput extends FilterInputStream {
    private final MessageDigest digest = EncodedSnapshot.digest();
    private final String what;
    private final long mostBytes;
    private long bytes;

    DigestInput(InputStream in, String what, long mostBytes) {
      super(in);
      this.what = what;
      this.mostBytes = mostBytes;
    }

    String sha256() {
      return EncodedSnapshot.hex(digest);
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
          throw new SnapshotParser.RefusedException(
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
}
