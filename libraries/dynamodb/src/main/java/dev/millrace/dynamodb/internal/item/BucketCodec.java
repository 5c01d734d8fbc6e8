package dev.millrace.dynamodb.internal.item;

import dev.millrace.BucketKey;
import dev.millrace.MillraceException;
import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.StoredLevel;
import dev.millrace.dynamodb.internal.schema.StoredVersions;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A bucket as an item and back. What is read is checked: an item of which a part is missing or
 * makes no sense is an error and never a guess, because a guessed limit admits or refuses wrongly.
 * Attributes that are not ours are passed over, so that a newer version may add some.
 */
public final class BucketCodec {
  private static final String BUCKET = "/BUCKET#";
  private static final char SEPARATOR = '#';
  private static final AttributeValue STATE = AttributeValue.fromS(SortKeys.STATE);

  private BucketCodec() {}

  /** The primary key of a bucket. */
  public static Map<String, AttributeValue> key(BucketKey key) {
    return Map.of(
        Attributes.PK,
        AttributeValue.fromS(
            partition(key.namespace(), key.entityId(), key.resource(), key.shard())),
        Attributes.SK,
        STATE);
  }

  /** The beginning of the partition keys of all buckets of a namespace. */
  public static String partitionPrefix(String namespace) {
    return namespace + BUCKET;
  }

  /** Whether {@code partitionKey} is a bucket's, well-formed or not. */
  public static boolean isPartition(String partitionKey) {
    int slash = partitionKey.indexOf('/');
    return slash >= 0 && partitionKey.startsWith(BUCKET, slash);
  }

  /** The partition key of one shard of a bucket: each has a partition of its own. */
  static String partition(String namespace, String entityId, String resource, int shard) {
    return namespace + BUCKET + entityId + SEPARATOR + resource + SEPARATOR + shard;
  }

  /**
   * The bucket that {@code partitionKey} belongs to.
   *
   * @throws IllegalArgumentException when it is no bucket's
   */
  public static BucketKey parsePartition(String partitionKey) {
    int slash = partitionKey.indexOf('/');
    if (slash < 0 || !partitionKey.startsWith(BUCKET, slash)) {
      throw refused(partitionKey, "does not begin with {namespace}" + BUCKET);
    }
    int entity = slash + BUCKET.length();
    int entityEnd = partitionKey.indexOf(SEPARATOR, entity);
    int resourceEnd = partitionKey.lastIndexOf(SEPARATOR);
    if (entityEnd < 0 || resourceEnd == entityEnd) {
      throw refused(partitionKey, "does not have an entity, a resource and a shard");
    }
    // A third separator ends up in the resource, whose own rule refuses it.
    return new BucketKey(
        partitionKey.substring(0, slash),
        partitionKey.substring(entity, entityEnd),
        partitionKey.substring(entityEnd + 1, resourceEnd),
        shardNumber(partitionKey, resourceEnd + 1));
  }

  private static int shardNumber(String partitionKey, int start) {
    String digits = partitionKey.substring(start);
    int shard;
    try {
      shard = Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw refused(partitionKey, "does not end in a shard number");
    }
    // "007" or "+7" would be a second item of the same shard.
    if (!digits.equals(Integer.toString(shard))) {
      throw refused(partitionKey, "has a shard number that Millrace does not write");
    }
    return shard;
  }

  private static IllegalArgumentException refused(String partitionKey, String rule) {
    return new IllegalArgumentException("bucket key '" + partitionKey + "' " + rule);
  }

  /** Everything that is stored of a bucket. */
  public static Map<String, AttributeValue> encode(BucketState state) {
    BucketKey key = state.key();
    Map<String, AttributeValue> item = new HashMap<>();
    item.putAll(key(key));
    put(item, BucketAttributes.ENTITY_ID, key.entityId());
    put(item, BucketAttributes.RESOURCE, key.resource());
    putDivision(item, state.division());
    item.put(BucketAttributes.WCU_TOKENS, StoredNumber.of(state.wcuMilli()));
    item.put(BucketAttributes.REFILLED_AT, StoredNumber.of(state.refilledAtMs()));
    if (state.expiresAtSeconds() != BucketState.NEVER) {
      item.put(Attributes.TTL, StoredNumber.of(state.expiresAtSeconds()));
    }
    if (!state.op().isEmpty()) {
      put(item, BucketAttributes.OP, state.op());
    }
    putStamp(item, state.stamp());
    putIndexKeys(item, key);
    for (LimitState limit : state.limits()) {
      for (LimitField field : LimitField.values()) {
        if (!StoredLimit.isImplied(limit.limit(), field)) {
          item.put(field.attribute(limit.name()), StoredLimit.of(limit, field));
        }
      }
    }
    return item;
  }

  private static void putDivision(Map<String, AttributeValue> item, Division division) {
    item.put(BucketAttributes.SHARD_COUNT, StoredNumber.of(division.count()));
    if (!division.isWhole()) {
      item.put(BucketAttributes.SHARD_LEVEL, StoredNumber.of(division.level()));
    }
  }

  /** Each part only when it is not the default: most buckets do without. */
  private static void putStamp(Map<String, AttributeValue> item, ConfigStamp stamp) {
    if (!stamp.versions().equals(RecordVersions.NONE)) {
      put(item, BucketAttributes.CONFIG_VERSIONS, StoredVersions.text(stamp.versions()));
    }
    if (stamp.level() != ConfigLevel.CALL) {
      put(item, BucketAttributes.LEVEL, StoredLevel.letter(stamp.level()));
    }
    if (stamp.disabled()) {
      item.put(BucketAttributes.OFF, StoredLimit.FLAG);
    }
  }

  private static void putIndexKeys(Map<String, AttributeValue> item, BucketKey key) {
    TableIndex ofResource = TableIndex.RESOURCE_RECORDS;
    put(item, ofResource.partitionKey(), IndexKeys.resource(key.namespace(), key.resource()));
    put(item, ofResource.sortKey(), IndexKeys.bucketOfResource(key.entityId(), key.shard()));
    TableIndex ofEntity = TableIndex.ENTITY_BUCKETS;
    put(item, ofEntity.partitionKey(), IndexKeys.entity(key.namespace(), key.entityId()));
    put(item, ofEntity.sortKey(), IndexKeys.bucketOfEntity(key.resource(), key.shard()));
  }

  private static void put(Map<String, AttributeValue> item, String attribute, String value) {
    item.put(attribute, AttributeValue.fromS(value));
  }

  /** The bucket in {@code item}, which says itself which one it is. */
  public static BucketState decode(Map<String, AttributeValue> item) {
    AttributeValue partitionKey = item.get(Attributes.PK);
    if (partitionKey == null || partitionKey.s() == null) {
      throw corrupt("", "", "PK is missing", null);
    }
    BucketKey key;
    try {
      key = parsePartition(partitionKey.s());
    } catch (IllegalArgumentException e) {
      throw corrupt(partitionKey.s(), "", String.valueOf(e.getMessage()), e);
    }
    return decode(key, item);
  }

  /** The bucket {@code key}, read from its item. */
  public static BucketState decode(BucketKey key, Map<String, AttributeValue> item) {
    return new BucketState(
        key,
        number(key, item, BucketAttributes.REFILLED_AT, null),
        limits(key, item),
        division(key, item),
        wcuMilli(key, item),
        number(key, item, Attributes.TTL, BucketState.NEVER),
        op(item),
        stamp(key, item));
  }

  /** The limits in {@code item}, in the order of their names. */
  public static List<LimitState> limits(BucketKey key, Map<String, AttributeValue> item) {
    List<StoredLimit> stored = StoredLimit.readAll(LimitField.PREFIX, item);
    List<LimitState> limits = new ArrayList<>(stored.size());
    for (int i = 0; i < stored.size(); i++) {
      StoredLimit limit = stored.get(i);
      if (!limit.name().equals(NameRules.RESERVED_LIMIT)) {
        try {
          limits.add(limit.toState());
        } catch (IllegalArgumentException e) { // also a number that is none
          throw corrupt(key.toString(), limit.name(), String.valueOf(e.getMessage()), e);
        }
      }
    }
    if (limits.isEmpty()) {
      throw corrupt(key.toString(), "", "it has no limits", null);
    }
    return limits;
  }

  private static Division division(BucketKey key, Map<String, AttributeValue> item) {
    int count = shards(key, BucketAttributes.SHARD_COUNT, item, null);
    int level = shards(key, BucketAttributes.SHARD_LEVEL, item, 1L);
    if (level == 1 && item.containsKey(BucketAttributes.SHARD_LEVEL)) {
      // A write to the whole demands that there is none: it would be refused for ever.
      throw corrupt(key.toString(), "", BucketAttributes.SHARD_LEVEL + " 1 must be absent", null);
    }
    if (key.shard() >= level) {
      throw corrupt(
          key.toString(), "", BucketAttributes.SHARD_LEVEL + " is not above the shard", null);
    }
    return Division.of(count, level);
  }

  private static int shards(
      BucketKey key,
      String attribute,
      Map<String, AttributeValue> item,
      @Nullable Long valueWhenMissing) {
    long number = number(key, item, attribute, valueWhenMissing);
    if (number < 1 || number > BucketKey.MAX_SHARDS || Long.bitCount(number) != 1) {
      throw corrupt(
          key.toString(),
          "",
          attribute + " is not a power of two from 1 to " + BucketKey.MAX_SHARDS,
          null);
    }
    return (int) number;
  }

  private static long wcuMilli(BucketKey key, Map<String, AttributeValue> item) {
    AttributeValue value = item.get(BucketAttributes.WCU_TOKENS);
    if (value == null) {
      return 0; // to which the first write adds
    }
    if (value.n() == null) {
      throw corrupt(key.toString(), "", BucketAttributes.WCU_TOKENS + " is not a number", null);
    }
    try {
      return StoredLimit.balance(value.n());
    } catch (NumberFormatException e) {
      throw corrupt(key.toString(), "", BucketAttributes.WCU_TOKENS + " is not a whole number", e);
    }
  }

  private static ConfigStamp stamp(BucketKey key, Map<String, AttributeValue> item) {
    AttributeValue versions = item.get(BucketAttributes.CONFIG_VERSIONS);
    AttributeValue level = item.get(BucketAttributes.LEVEL);
    boolean disabled = item.containsKey(BucketAttributes.OFF); // as the condition of a write asks
    if (versions == null && level == null && !disabled) {
      return ConfigStamp.CALL;
    }
    if (level != null && level.s() == null) {
      throw corrupt(key.toString(), "", BucketAttributes.LEVEL + " is not a text", null);
    }
    try {
      return new ConfigStamp(
          level == null ? ConfigLevel.CALL : StoredLevel.parse(level.s()),
          versions == null ? RecordVersions.NONE : versions(versions),
          disabled);
    } catch (IllegalArgumentException e) {
      throw corrupt(key.toString(), "", String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * A number is the sum of versions that was written before they were kept apart: nothing can be
   * told of it, so everything that is stored is newer.
   */
  private static RecordVersions versions(AttributeValue value) {
    if (value.n() != null) {
      return RecordVersions.NONE;
    }
    if (value.s() == null) {
      throw new IllegalArgumentException(BucketAttributes.CONFIG_VERSIONS + " is not a text");
    }
    return StoredVersions.parse(value.s());
  }

  private static String op(Map<String, AttributeValue> item) {
    AttributeValue op = item.get(BucketAttributes.OP);
    return op == null || op.s() == null ? "" : op.s();
  }

  private static long number(
      BucketKey key,
      Map<String, AttributeValue> item,
      String attribute,
      @Nullable Long valueWhenMissing) {
    AttributeValue value = item.get(attribute);
    if (value == null && valueWhenMissing != null) {
      return valueWhenMissing;
    }
    if (value == null || value.n() == null) {
      throw corrupt(key.toString(), "", attribute + " is missing or not a number", null);
    }
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw corrupt(key.toString(), "", attribute + " is not a whole number of 64 bits", e);
    }
  }

  private static MillraceException corrupt(
      String key, String limit, String problem, @Nullable Throwable cause) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("key", key);
    if (!limit.isEmpty()) {
      attributes.put("limit", limit);
    }
    attributes.put("problem", problem);
    return new MillraceException("corrupt bucket item", attributes, cause);
  }
}
