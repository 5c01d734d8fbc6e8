package dev.millrace.aggregator;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A change of an item, as the stream tells it, whichever library brought it. Nothing is checked
 * here: what came wrong must get as far as the dead letters.
 *
 * @param sequenceNumber as the stream wrote it; empty when it said none
 * @param createdAtMs when the change was made, about, by the clock of the table
 * @param byTimeToLive whether the item was removed because its time was over
 * @param keys the primary key; empty when the stream said none
 * @param oldImage the item before; empty when there was none
 * @param newImage the item after; empty when there is none
 */
public record StreamRecord(
    String sequenceNumber,
    long createdAtMs,
    Kind kind,
    boolean byTimeToLive,
    Map<String, AttributeValue> keys,
    Map<String, AttributeValue> oldImage,
    Map<String, AttributeValue> newImage) {
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
