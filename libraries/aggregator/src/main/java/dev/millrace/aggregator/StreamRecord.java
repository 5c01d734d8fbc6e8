package dev.millrace.aggregator;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * A change of an item in the stream, independent of the library that read it. Nothing is validated
 * here: an invalid record must get as far as the dead letters.
 *
 * @param stream the label of the stream that it came from, which separates the order of its numbers
 *     from that of another stream; empty when it is not known
 * @param sequenceNumber as the stream wrote it; empty when there was none
 * @param createdAtMs the approximate time of the change, by the clock of the table
 * @param kind the kind of change, {@link OperationType#UNKNOWN_TO_SDK_VERSION} for any other
 * @param byTimeToLive whether the item was removed because it expired
 * @param keys the primary key; empty when there was none
 * @param oldImage the item before; empty when there was none
 * @param newImage the item after; empty when there is none
 */
public record StreamRecord(
    String stream,
    String sequenceNumber,
    long createdAtMs,
    OperationType kind,
    boolean byTimeToLive,
    Map<String, AttributeValue> keys,
    Map<String, AttributeValue> oldImage,
    Map<String, AttributeValue> newImage) {
  private static final Pattern LABEL = Pattern.compile(".*:table/[^/]+/stream/([^/]+)");

  /** A record of an unknown stream. */
  public StreamRecord(
      String sequenceNumber,
      long createdAtMs,
      OperationType kind,
      boolean byTimeToLive,
      Map<String, AttributeValue> keys,
      Map<String, AttributeValue> oldImage,
      Map<String, AttributeValue> newImage) {
    this("", sequenceNumber, createdAtMs, kind, byTimeToLive, keys, oldImage, newImage);
  }

  /**
   * The label in the name of a stream: the time at which it was enabled. Empty when {@code arn} is
   * not the name of a stream.
   */
  public static String labelOf(@Nullable String arn) {
    Matcher matcher = LABEL.matcher(arn == null ? "" : arn);
    return matcher.matches() ? matcher.group(1) : "";
  }
}
