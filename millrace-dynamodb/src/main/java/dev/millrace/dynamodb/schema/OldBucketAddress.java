package dev.millrace.dynamodb.schema;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.directory.ItemAddress;

/**
 * Where buckets were before there were shards: under their entity. Tables of that time may be
 * written by their own clients still, and what those consume is usage too.
 */
public final class OldBucketAddress {
  private static final String BUCKETS = "#BUCKET#";

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

  /**
   * The bucket at {@code address}, which {@link #matches}.
   *
   * @throws IllegalArgumentException when a name in it is none
   */
  public static BucketKey parse(ItemAddress address) {
    String partition = address.partition();
    String namespace = PartitionKeys.namespaceOf(partition);
    return BucketKey.first(
        namespace,
        partition.substring(namespace.length() + PartitionKeys.ENTITY.length()),
        address.sort().substring(BUCKETS.length()));
  }
}
