package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.ItemReader;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.OldAttributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Buckets of schema versions 1 and 2, read. What makes no sense is an error that names the item and
 * never a guess: a guessed balance would be carried over for good.
 */
public final class OldBucketCodec {
  private OldBucketCodec() {}

  /**
   * The bucket that {@code items} make up, of which there are some and which was not carried over
   * yet. The item of all limits counts when there is one: whoever wrote it wrote the others no
   * more.
   */
  public static OldBucket decode(OldItems items) {
    Map<String, AttributeValue> composite = items.composite();
    OldBucket old = composite == null ? ofPerLimit(items) : ofComposite(items.key(), composite);
    if (old.limits().size() > LimitSet.MAX_LIMITS
        || items.perLimit().size() > OldItems.MAX_PER_LIMIT) {
      throw new ItemReader(OldBucketAddress.composite(items.key()), Map.of())
          .corrupt(
              old.limits().size()
                  + " limits and "
                  + items.perLimit().size()
                  + " items are too many",
              null);
    }
    return old;
  }

  private static OldBucket ofComposite(BucketKey key, Map<String, AttributeValue> item) {
    ItemReader reader = OldItems.reader(item);
    long refilledAtMs = reader.number(BucketAttributes.REFILLED_AT);
    List<LimitState> limits;
    try {
      limits = BucketCodec.limits(key, item);
    } catch (MillraceException e) {
      throw reader.corrupt(e.attributes().toString(), e);
    }
    return new OldBucket(
        key,
        OldBucket.COMPOSITE,
        limits.stream().map(limit -> new OldLimit(limit, refilledAtMs)).toList(),
        reader.number(Attributes.TTL, 0) != 0);
  }

  private static OldBucket ofPerLimit(OldItems items) {
    List<OldLimit> limits = new ArrayList<>();
    boolean expires = true;
    for (Map.Entry<String, Map<String, AttributeValue>> item : items.perLimit().entrySet()) {
      ItemReader reader = OldItems.reader(item.getValue());
      limits.add(limit(item.getKey(), reader));
      // One that stays keeps the others: a limit that is forgotten comes back full.
      expires &= reader.number(Attributes.TTL, 0) != 0;
    }
    return new OldBucket(items.key(), OldBucket.PER_LIMIT, limits, expires);
  }

  private static OldLimit limit(String name, ItemReader item) {
    long capacityMilli = item.number(OldAttributes.CAPACITY);
    long refilledAtMs = item.number(OldAttributes.REFILLED_AT);
    Limit limit;
    try {
      limit =
          new Limit(
              name,
              capacityMilli,
              item.number(OldAttributes.BURST, capacityMilli),
              Refill.of(
                  item.number(OldAttributes.REFILL_AMOUNT),
                  item.number(OldAttributes.REFILL_PERIOD)));
    } catch (IllegalArgumentException e) {
      throw item.corrupt(String.valueOf(e.getMessage()), e);
    }
    return new OldLimit(
        new LimitState(
            limit, item.saturated(OldAttributes.TOKENS), item.number(OldAttributes.CONSUMED, 0)),
        refilledAtMs);
  }
}
