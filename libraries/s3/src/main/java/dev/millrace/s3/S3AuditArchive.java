package dev.millrace.s3;

import dev.millrace.aggregator.AuditArchive;
import dev.millrace.aggregator.json.AuditJson;
import dev.millrace.core.spi.directory.AuditEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An archive of audit events in S3: gzipped lines of JSON, partitioned by namespace and day.
 *
 * <p>One object for each event, with a name and content that follow from the event alone. So an
 * event that is delivered again, or to two workers at once, is the same object written again: it is
 * stored once, without a condition, on any server. Objects of many events would need
 * compare-and-swap, and would save little: events are changes made by operators, not requests.
 */
public final class S3AuditArchive implements AuditArchive {
  private static final int SUBJECT_DIGITS = 8;

  private final S3Client client;
  private final S3Location location;

  /** An archive at {@code location}. The client is the caller's to close. */
  public S3AuditArchive(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
  }

  @Override
  public void put(List<AuditEvent> events) {
    for (AuditEvent event : events) {
      client.putObject(
          p ->
              p.bucket(location.bucket())
                  .key(key(event))
                  .contentType("application/x-ndjson")
                  .contentEncoding("gzip"),
          RequestBody.fromBytes(gzip(AuditJson.of(event) + "\n")));
    }
  }

  /** Ids are ordered by time, so names are too. */
  private String key(AuditEvent event) {
    return "%snamespace=%s/date=%s/%s-%s.jsonl.gz"
        .formatted(
            location.prefix(),
            event.key().namespace(),
            Instant.ofEpochMilli(event.atMs()).atOffset(ZoneOffset.UTC).toLocalDate(),
            event.key().id(),
            hash(event.key().subject()));
  }

  private static String hash(String subject) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(subject.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, SUBJECT_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }

  /** Java writes no time into the header, so the same text is the same bytes. */
  private static byte[] gzip(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
