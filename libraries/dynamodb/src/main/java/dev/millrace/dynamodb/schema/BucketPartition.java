package dev.millrace.dynamodb.schema;

import dev.millrace.core.bucket.BucketKey;

/** The partition key of a bucket, put together and taken apart. */
public final class BucketPartition {
  private static final String BUCKET = "/BUCKET#";
  private static final char SEPARATOR = '#';

  private BucketPartition() {}

  /** What the partition keys of all buckets of a namespace begin with. */
  public static String prefix(String namespace) {
    return namespace + BUCKET;
  }

  /** Whether a bucket is meant by {@code partitionKey}, well or badly. */
  public static boolean matches(String partitionKey) {
    int slash = partitionKey.indexOf('/');
    return slash >= 0 && partitionKey.startsWith(BUCKET, slash);
  }

  /** The partition key of one shard of a bucket: each has a partition of its own. */
  public static String of(BucketKey key) {
    return format(key.namespace(), key.entityId(), key.resource(), key.shard());
  }

  static String format(String namespace, String entityId, String resource, int shard) {
    return namespace + BUCKET + entityId + SEPARATOR + resource + SEPARATOR + shard;
  }

  /**
   * The bucket that {@code partitionKey} belongs to.
   *
   * @throws IllegalArgumentException when it is no bucket's
   */
  public static BucketKey parse(String partitionKey) {
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
        shard(partitionKey, resourceEnd + 1));
  }

  private static int shard(String partitionKey, int start) {
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
}
