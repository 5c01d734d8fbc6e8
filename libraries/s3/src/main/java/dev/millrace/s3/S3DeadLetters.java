package dev.millrace.s3;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.DeadLetters;
import dev.millrace.aggregator.json.LetterJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Dead letters in S3, one object for each: a repeated letter is the same object. */
public final class S3DeadLetters implements DeadLetters {
  /** The suffix of the names of their objects. */
  public static final String SUFFIX = ".json";

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,40}");
  private static final int HASH_DIGITS = 16;

  private final S3Client client;
  private final S3Location location;

  /** Dead letters at {@code location}. The client is the caller's to close. */
  public S3DeadLetters(S3Client client, S3Location location) {
    this.client = client;
    this.location = location;
  }

  @Override
  public void put(List<DeadLetter> letters) {
    for (DeadLetter letter : letters) {
      String json = LetterJson.of(letter);
      client.putObject(
          p ->
              p.bucket(location.bucket())
                  .key(location.prefix() + name(letter, json) + SUFFIX)
                  .contentType("application/json"),
          RequestBody.fromString(json + "\n"));
    }
  }

  /**
   * The name, by number and stream: two streams of a table may have the same numbers. A record
   * without a valid number is named by its content.
   */
  private static String name(DeadLetter letter, String json) {
    String number = letter.record().sequenceNumber();
    if (!NUMBER.matcher(number).matches()) {
      return "unnumbered-" + hash(json);
    }
    String stream = letter.record().stream();
    return stream.isEmpty() ? number : number + "-" + hash(stream);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
