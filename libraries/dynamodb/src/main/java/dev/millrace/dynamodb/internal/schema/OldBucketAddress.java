package dev.millrace.dynamodb.internal.schema;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;

/**
 * The address of a bucket from before there were shards: under its entity, in one item ({@code
 * #BUCKET#{resource}}, schema version 2) or in one for each limit ({@code
 * #BUCKET#{resource}#{limit}}, version 1). Tables of that time may be written by their own clients
 * still, and what those consume is usage too.
 */
public final class OldBucketAddress {
  /** What the sort keys of all of them begin with. */
  public static final String BUCKETS = "#BUCKET#";

  private static final char SEPARATOR = '#';

  /** The character after the separator: what begins with a resource and this is past it. */
  private static final char AFTER_SEPARATOR = SEPARATOR + 1;

  private OldBucketAddress() {}

  /** Whether such a bucket is meant, well or badly. */
  public static boolean matches(ItemAddress address) {
    if (!address.sort().startsWith(BUCKETS)) {
      return false;
    }
    String partition = address.partition();
    int slash = partition.indexOf('/');
    return slash >= 0 && partition.startsWith(PartitionKeys.ENTITY, slash);
  }

  /** Whether the item at {@code address}, which {@link #matches}, has one limit of a bucket. */
  public static boolean isPerLimit(ItemAddress address) {
    return limitAt(address) >= 0;
  }

  /**
   * The bucket at {@code address}, which {@link #matches}: all of it, or one limit of it.
   *
   * @throws IllegalArgumentException when a name in it is none
   */
  public static BucketKey parse(ItemAddress address) {
    String partition = address.partition();
    String namespace = PartitionKeys.namespaceOf(partition);
    int limit = limitAt(address);
    String sort = address.sort();
    return BucketKey.first(
        namespace,
        partition.substring(namespace.length() + PartitionKeys.ENTITY.length()),
        sort.substring(BUCKETS.length(), limit < 0 ? sort.length() : limit));
  }

  public static String limitName(ItemAddress address) {
    return address.sort().substring(limitAt(address) + 1);
  }

  public static ItemAddress composite(BucketKey key) {
    return new ItemAddress(partition(key), first(key));
  }

  public static ItemAddress perLimit(BucketKey key, String limitName) {
    return new ItemAddress(partition(key), first(key) + SEPARATOR + limitName);
  }

  public static String partition(BucketKey key) {
    return PartitionKeys.entity(key.namespace(), key.entityId());
  }

  /** The first sort key of what a bucket had there. */
  public static String first(BucketKey key) {
    return BUCKETS + key.resource();
  }

  /** What comes after all of it, and before the next resource that begins alike. */
  public static String last(BucketKey key) {
    return first(key) + AFTER_SEPARATOR;
  }

  private static int limitAt(ItemAddress address) {
    return address.sort().indexOf(SEPARATOR, BUCKETS.length());
  }
}
