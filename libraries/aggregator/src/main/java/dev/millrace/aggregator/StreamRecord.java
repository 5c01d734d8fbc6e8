package dev.millrace.aggregator;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A change of an item, as the stream tells it, whichever library brought it. Nothing is checked
 * here: what came wrong must get as far as the dead letters.
 *
 * @param stream the label of the stream that it came from, which tells the order of its numbers
 *     from that of another stream; empty when it is not known
 * @param sequenceNumber as the stream wrote it; empty when it said none
 * @param createdAtMs when the change was made, about, by the clock of the table
 * @param byTimeToLive whether the item was removed because its time was over
 * @param keys the primary key; empty when the stream said none
 * @param oldImage the item before; empty when there was none
 * @param newImage the item after; empty when there is none
 */
public record StreamRecord(
    String stream,
    String sequenceNumber,
    long createdAtMs,
    Kind kind,
    boolean byTimeToLive,
    Map<String, AttributeValue> keys,
    Map<String, AttributeValue> oldImage,
    Map<String, AttributeValue> newImage) {
  private static final Pattern LABEL = Pattern.compile(".*:table/[^/]+/stream/([^/]+)");

  /** A record of which it is not known what stream it came from. */
  public StreamRecord(
      String sequenceNumber,
      long createdAtMs,
      Kind kind,
      boolean byTimeToLive,
      Map<String, AttributeValue> keys,
      Map<String, AttributeValue> oldImage,
      Map<String, AttributeValue> newImage) {
    this("", sequenceNumber, createdAtMs, kind, byTimeToLive, keys, oldImage, newImage);
  }

  /**
   * The label in the name of a stream: the time at which it was switched on. Empty when {@code arn}
   * is none.
   */
  public static String labelOf(@Nullable String arn) {
    Matcher matcher = LABEL.matcher(arn == null ? "" : arn);
    return matcher.matches() ? matcher.group(1) : "";
  }

  /** What happened to the item. */
  public enum Kind {
    /** It was made. */
    INSERT,
    /** It was changed. */
    MODIFY,
    /** It was removed. */
    REMOVE,
    /** The stream said something that is none of these. */
    UNKNOWN
  }
}
