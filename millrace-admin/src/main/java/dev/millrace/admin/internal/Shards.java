package dev.millrace.admin.internal;

import dev.millrace.core.bucket.BucketKey;
import java.util.ArrayList;
import java.util.List;

/** The shards of a bucket by their keys. */
public final class Shards {
  private Shards() {}

  /** The shards from {@code from} to before {@code to}. */
  public static List<BucketKey> range(BucketKey key, int from, int to) {
    List<BucketKey> keys = new ArrayList<>(Math.max(0, to - from));
    for (int shard = from; shard < to; shard++) {
      keys.add(new BucketKey(key.namespace(), key.entityId(), key.resource(), shard));
    }
    return keys;
  }
}
