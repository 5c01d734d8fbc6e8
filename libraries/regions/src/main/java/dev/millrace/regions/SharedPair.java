package dev.millrace.regions;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.RecordKey;

/** An entity and a resource with limits that are shared with other regions. */
record SharedPair(String namespace, String entityId, String resource)
    implements Comparable<SharedPair> {
  BucketKey bucket() {
    return BucketKey.first(namespace, entityId, resource);
  }

  RecordKey.Config config() {
    return RecordKey.Config.ofEntityResource(namespace, entityId, resource);
  }

  @Override
  public int compareTo(SharedPair other) {
    int byResource = resource.compareTo(other.resource);
    return byResource != 0 ? byResource : entityId.compareTo(other.entityId);
  }
}
