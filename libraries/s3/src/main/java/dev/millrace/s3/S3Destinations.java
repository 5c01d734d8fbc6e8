package dev.millrace.s3;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.internal.DestinationJson;
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
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The destinations of an aggregator in S3. The clients are the caller's to close.
 *
 * <p>There is one object for each event or letter, with a name and content that follow from it
 * alone. So one that is delivered again, or to two workers at once, is the same object written
 * again: it is stored once, without a condition, on any server. Objects of many would need
 * compare-and-swap, and would save little: events are changes made by operators, not requests.
 */
public final class S3Destinations {
  /** The suffix of the names of dead letters. */
  public static final String LETTER_SUFFIX = ".json";

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,40}");
  private static final int STREAM_DIGITS = 16;
  private static final int SUBJECT_DIGITS = 8;

  private S3Destinations() {}

  /** Dead letters at {@code location}. */
  public static Consumer<List<DeadLetter>> deadLetters(S3Client client, S3Location location) {
    return letters -> letters.forEach(letter -> put(client, location, letter));
  }

  private static void put(S3Client client, S3Location location, DeadLetter letter) {
    String json = DestinationJson.of(letter);
    client.putObject(
        p ->
            p.bucket(location.bucket())
                .key(location.prefix() + name(letter, json) + LETTER_SUFFIX)
                .contentType("application/json"),
        RequestBody.fromString(json + "\n"));
  }

  /**
   * The name, by number and stream: two streams of a table may have the same numbers. A record
   * without a valid number is named by its content.
   */
  private static String name(DeadLetter letter, String json) {
    String number = letter.record().sequenceNumber();
    if (!NUMBER.matcher(number).matches()) {
      return "unnumbered-" + hash(json, STREAM_DIGITS);
    }
    String stream = letter.record().stream();
    return stream.isEmpty() ? number : number + "-" + hash(stream, STREAM_DIGITS);
  }

  /** An archive of audit events: gzipped lines of JSON, partitioned by namespace and day. */
  public static Consumer<List<AuditEvent>> archive(S3Client client, S3Location location) {
    return events -> events.forEach(event -> put(client, location, event));
  }

  private static void put(S3Client client, S3Location location, AuditEvent event) {
    // Ids are ordered by time, so names are too.
    String key =
        "%snamespace=%s/date=%s/%s-%s.jsonl.gz"
            .formatted(
                location.prefix(),
                event.key().namespace(),
                Instant.ofEpochMilli(event.atMs()).atOffset(ZoneOffset.UTC).toLocalDate(),
                event.key().id(),
                hash(event.key().subject(), SUBJECT_DIGITS));
    client.putObject(
        p ->
            p.bucket(location.bucket())
                .key(key)
                .contentType("application/x-ndjson")
                .contentEncoding("gzip"),
        RequestBody.fromBytes(gzip(DestinationJson.of(event) + "\n")));
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

  private static String hash(String text, int digits) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, digits);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
