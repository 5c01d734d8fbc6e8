package dev.millrace;

/**
 * Which bucket: one (entity, resource) of a namespace, and the shard of it. The shard is part of
 * the key so that no write can forget where its tokens came from.
 */
public record BucketKey(String namespace, String entityId, String resource, int shard) {
  /** Most shards that a bucket can have. */
  public static final int MAX_SHARDS = 1 << 16;

  /** Checks the names and the shard. */
  public BucketKey {
    NameRules.requireNamespace(namespace);
    NameRules.requireEntityId(entityId);
    NameRules.requireResource(resource);
    if (shard < 0 || shard >= MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shard " + shard + " must be from 0 to " + (MAX_SHARDS - 1));
    }
  }

  /** The first shard, with which every bucket begins. */
  public static BucketKey first(String namespace, String entityId, String resource) {
    return new BucketKey(namespace, entityId, resource, 0);
  }

  /** Another shard of the same bucket. */
  public BucketKey withShard(int other) {
    return other == shard ? this : new BucketKey(namespace, entityId, resource, other);
  }

  /** The shard that this one was split off; only for one that was. */
  public BucketKey parentShard() {
    if (shard == 0) {
      throw new IllegalStateException(this + " was not split off another shard");
    }
    return withShard(shard - Integer.highestOneBit(shard));
  }

  /** Whether both are shards of one bucket. */
  public boolean isShardOf(BucketKey other) {
    return entityId.equals(other.entityId)
        && resource.equals(other.resource)
        && namespace.equals(other.namespace);
  }

  @Override
  public String toString() {
    return namespace + "/" + entityId + "/" + resource + "#" + shard;
  }
}
