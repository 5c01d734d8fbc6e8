package dev.millrace.aggregator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/** Changes of buckets as the stream would tell them. */
public final class Images {
  private Images() {}

  /** The record of a change, one of the two states being null for a bucket that is not there. */
  public static StreamRecord record(
      String number, long atMs, @Nullable BucketState before, @Nullable BucketState after) {
    BucketState any = after == null ? before : after;
    if (any == null) {
      throw new IllegalArgumentException("neither before nor after");
    }
    return record(number, atMs, any.key(), image(before), image(after));
  }

  /** The same of images, one of which may be empty. */
  public static StreamRecord record(
      String number,
      long atMs,
      BucketKey key,
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> after) {
    OperationType kind =
        before.isEmpty()
            ? OperationType.INSERT
            : after.isEmpty() ? OperationType.REMOVE : OperationType.MODIFY;
    return new StreamRecord(number, atMs, kind, false, BucketCodec.key(key), before, after);
  }

  /** A bucket's item, empty when there is none. */
  public static Map<String, AttributeValue> image(@Nullable BucketState state) {
    return state == null ? new HashMap<>() : BucketCodec.encode(state);
  }
}
