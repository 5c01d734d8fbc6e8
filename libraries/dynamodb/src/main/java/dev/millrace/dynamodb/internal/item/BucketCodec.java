package dev.millrace.dynamodb.internal.item;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.MillraceException;
import dev.millrace.NameRules;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A bucket as an item and back. What is read is checked: an item of which a part is missing or
 * makes no sense is an error and never a guess, because a guessed limit admits or refuses wrongly.
 * Unknown attributes are ignored, so that a newer version may add some.
 *
 * <p>Most items that are read have the limits of one that was read before. Limits that were decoded
 * and validated once are kept with the texts that they came from, and used again while an item has
 * the same texts.
 */
public final class BucketCodec {
  /** Most decoded limit sets that are kept, of a few hundred bytes each. */
  static final int MAX_DECODED = 1_024;

  private static final AtomicReferenceArray<@Nullable DecodedLimits> DECODED =
      new AtomicReferenceArray<>(MAX_DECODED);

  private static final String BUCKET = "/BUCKET#";
  private static final char SEPARATOR = '#';
  private static final AttributeValue STATE = AttributeValue.fromS(SortKeys.STATE);

  private BucketCodec() {}

  public static Map<String, AttributeValue> key(BucketKey key) {
    String partition = partition(key.namespace(), key.entityId(), key.resource(), key.shard());
    return Map.of(Attributes.PK, AttributeValue.fromS(partition), Attributes.SK, STATE);
  }

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
    String digits = partitionKey.substring(resourceEnd + 1);
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
    // A third separator ends up in the resource, whose own rule refuses it.
    return new BucketKey(
        partitionKey.substring(0, slash),
        partitionKey.substring(entity, entityEnd),
        partitionKey.substring(entityEnd + 1, resourceEnd),
        shard);
  }

  private static IllegalArgumentException refused(String partitionKey, String rule) {
    return new IllegalArgumentException("bucket key '" + partitionKey + "' " + rule);
  }

  public static Map<String, AttributeValue> encode(BucketState state) {
    BucketKey key = state.key();
    Map<String, AttributeValue> item = new HashMap<>(key(key));
    put(item, BucketAttributes.ENTITY_ID, key.entityId());
    put(item, BucketAttributes.RESOURCE, key.resource());
    item.put(BucketAttributes.SHARD_COUNT, StoredNumber.of(state.division().count()));
    if (!state.division().isWhole()) {
      item.put(BucketAttributes.SHARD_LEVEL, StoredNumber.of(state.division().level()));
    }
    item.put(BucketAttributes.WCU_TOKENS, StoredNumber.of(state.wcuMilli()));
    item.put(BucketAttributes.REFILLED_AT, StoredNumber.of(state.refilledAtMs()));
    if (state.expiresAtSeconds() != BucketState.NEVER) {
      item.put(Attributes.TTL, StoredNumber.of(state.expiresAtSeconds()));
    }
    if (!state.op().isEmpty()) {
      put(item, BucketAttributes.OP, state.op());
    }
    StampCodec.put(
        state.stamp(),
        BucketAttributes.CONFIG_VERSIONS,
        BucketAttributes.LEVEL,
        BucketAttributes.OFF,
        item);
    TableIndex ofResource = TableIndex.RESOURCE_RECORDS;
    put(item, ofResource.partitionKey(), PartitionKeys.resource(key.namespace(), key.resource()));
    put(item, ofResource.sortKey(), TableIndex.bucketOfResource(key.entityId(), key.shard()));
    TableIndex ofEntity = TableIndex.ENTITY_BUCKETS;
    put(item, ofEntity.partitionKey(), PartitionKeys.entity(key.namespace(), key.entityId()));
    put(item, ofEntity.sortKey(), TableIndex.bucketOfEntity(key.resource(), key.shard()));
    for (LimitState limit : state.limits()) {
      for (LimitField field : LimitField.values()) {
        if (!StoredLimit.isImplied(limit.limit(), field)) {
          item.put(field.attribute(limit.name()), StoredLimit.of(limit, field));
        }
      }
    }
    return item;
  }

  private static void put(Map<String, AttributeValue> item, String attribute, String value) {
    item.put(attribute, AttributeValue.fromS(value));
  }

  /** The bucket in {@code item}, identified by the item's own key. */
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

  public static BucketState decode(BucketKey key, Map<String, AttributeValue> item) {
    AttributeValue op = item.get(BucketAttributes.OP);
    return new BucketState(
        key,
        number(key, item, BucketAttributes.REFILLED_AT, null),
        limits(key, item),
        division(key, item),
        wcuMilli(key, item),
        number(key, item, Attributes.TTL, BucketState.NEVER),
        op == null || op.s() == null ? "" : op.s(),
        stamp(key, item));
  }

  public static List<LimitState> limits(BucketKey key, Map<String, AttributeValue> item) {
    int ofResource = place(key.resource().hashCode());
    int ofBucket = place(31 * key.entityId().hashCode() + key.resource().hashCode());
    DecodedLimits known = DECODED.get(ofResource);
    List<LimitState> limits = known == null ? null : known.read(item);
    if (limits == null) {
      known = DECODED.get(ofBucket);
      limits = known == null ? null : known.read(item);
    }
    if (limits == null) {
      limits = validated(key, item);
      DecodedLimits decoded = new DecodedLimits(item, limits);
      DECODED.set(ofResource, decoded); // most buckets of a resource have the same limits
      DECODED.set(ofBucket, decoded);
    }
    return limits;
  }

  private static int place(int hash) {
    return (hash ^ (hash >>> 16)) & (MAX_DECODED - 1);
  }

  private static List<LimitState> validated(BucketKey key, Map<String, AttributeValue> item) {
    List<LimitState> limits = new ArrayList<>();
    for (StoredLimit limit : StoredLimit.readAll(LimitField.PREFIX, item)) {
      if (!limit.name().equals(NameRules.RESERVED_LIMIT)) {
        try {
          limits.add(limit.toState());
        } catch (IllegalArgumentException e) { // also a number that is none
          throw corrupt(key.toString(), limit.name(), String.valueOf(e.getMessage()), e);
        }
      }
    }
    if (limits.isEmpty()) {
      throw corrupt(key, "it has no limits", null);
    }
    return limits;
  }

  /** The limits of an item, and every attribute and text that they were decoded from. */
  private static final class DecodedLimits {
    private final Limit[] limits;
    private final String[] tokens;
    private final String[] consumed;
    private final String[] parameters;
    private final String[] texts;

    /** All attributes that are no limit's. */
    private final String[] others;

    private final int size;

    DecodedLimits(Map<String, AttributeValue> item, List<LimitState> states) {
      Set<String> remaining = new HashSet<>(item.keySet());
      Map<String, String> parameterTexts = new LinkedHashMap<>();
      size = item.size();
      limits = states.stream().map(LimitState::limit).toArray(Limit[]::new);
      tokens = new String[limits.length];
      consumed = new String[limits.length];
      for (int i = 0; i < limits.length; i++) {
        tokens[i] = LimitField.TOKENS.attribute(limits[i].name());
        consumed[i] = LimitField.CONSUMED.attribute(limits[i].name());
        for (LimitField field : LimitField.values()) {
          String attribute = field.attribute(limits[i].name());
          AttributeValue value = item.get(attribute);
          if (value != null) {
            remaining.remove(attribute);
            if (field.isParameter()) {
              parameterTexts.put(attribute, value.n());
            }
          }
        }
      }
      parameters = parameterTexts.keySet().toArray(String[]::new);
      texts = parameterTexts.values().toArray(String[]::new);
      others = remaining.toArray(String[]::new);
    }

    /** The limits in {@code item}; null unless it has the same attributes and parameters. */
    @Nullable List<LimitState> read(Map<String, AttributeValue> item) {
      if (item.size() != size) {
        return null;
      }
      for (int i = 0; i < parameters.length; i++) {
        AttributeValue value = item.get(parameters[i]);
        if (value == null || !texts[i].equals(value.n())) {
          return null;
        }
      }
      for (String other : others) {
        if (!item.containsKey(other)) {
          return null;
        }
      }
      List<LimitState> states = new ArrayList<>(limits.length);
      for (int i = 0; i < limits.length; i++) {
        AttributeValue balance = item.get(tokens[i]);
        AttributeValue counter = item.get(consumed[i]);
        if (balance == null || counter == null || balance.n() == null || counter.n() == null) {
          return null;
        }
        try {
          states.add(
              new LimitState(limits[i], Long.parseLong(balance.n()), Long.parseLong(counter.n())));
        } catch (NumberFormatException e) { // beyond 64 bits, or none
          return null;
        }
      }
      return states;
    }
  }

  private static Division division(BucketKey key, Map<String, AttributeValue> item) {
    int count = shards(key, BucketAttributes.SHARD_COUNT, item, null);
    int level = shards(key, BucketAttributes.SHARD_LEVEL, item, 1L);
    if (level == 1 && item.containsKey(BucketAttributes.SHARD_LEVEL)) {
      // A write to the whole demands that there is none: it would be refused for ever.
      throw corrupt(key, BucketAttributes.SHARD_LEVEL + " 1 must be absent", null);
    }
    if (key.shard() >= level) {
      throw corrupt(key, BucketAttributes.SHARD_LEVEL + " is not above the shard", null);
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
          key, attribute + " is not a power of two from 1 to " + BucketKey.MAX_SHARDS, null);
    }
    return (int) number;
  }

  private static long wcuMilli(BucketKey key, Map<String, AttributeValue> item) {
    AttributeValue value = item.get(BucketAttributes.WCU_TOKENS);
    if (value == null) {
      return 0; // to which the first write adds
    }
    if (value.n() == null) {
      throw corrupt(key, BucketAttributes.WCU_TOKENS + " is not a number", null);
    }
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException beyond64Bits) {
      try {
        return StoredNumber.saturated(value.n());
      } catch (NumberFormatException e) {
        throw corrupt(key, BucketAttributes.WCU_TOKENS + " is not a whole number", e);
      }
    }
  }

  private static ConfigStamp stamp(BucketKey key, Map<String, AttributeValue> item) {
    if (!item.containsKey(BucketAttributes.CONFIG_VERSIONS)
        && !item.containsKey(BucketAttributes.LEVEL)
        && !item.containsKey(BucketAttributes.OFF)) {
      return ConfigStamp.CALL;
    }
    try {
      return StampCodec.decode(item);
    } catch (IllegalArgumentException e) {
      throw corrupt(key, String.valueOf(e.getMessage()), e);
    }
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
      throw corrupt(key, attribute + " is missing or not a number", null);
    }
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw corrupt(key, attribute + " is not a whole number of 64 bits", e);
    }
  }

  private static MillraceException corrupt(
      BucketKey key, String problem, @Nullable Throwable cause) {
    return corrupt(key.toString(), "", problem, cause);
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
