package dev.millrace.core.spi.directory;

/** A listing, read page by page. Listings by index may lag behind writes by a moment. */
public sealed interface Listing {
  /** Entities without a parent, as {@link ListEntry.Entity}. */
  record Roots(String namespace) implements Listing {}

  /** The children of an entity, as {@link ListEntry.Entity}. */
  record Children(String namespace, String parentId) implements Listing {}

  /** The buckets of a resource, every shard, as {@link ListEntry.Bucket}. */
  record BucketsOfResource(String namespace, String resource) implements Listing {}

  /** The buckets of an entity, every resource and shard, as {@link ListEntry.Bucket}. */
  record BucketsOfEntity(String namespace, String entityId) implements Listing {}

  /**
   * All buckets of a namespace, every entity, resource and shard, as {@link ListEntry.Bucket}:
   * reads all of the table.
   */
  record BucketsOfNamespace(String namespace) implements Listing {}

  /** The entities with limits of their own for a resource, as {@link ListEntry.Entity}. */
  record ConfiguredEntities(String namespace, String resource) implements Listing {}

  /** The entities with limits for whatever resource, as {@link ListEntry.Entity}. */
  record DefaultedEntities(String namespace) implements Listing {}

  /** The configs of an entity, of either level, as {@link ListEntry.Stored}; consistent. */
  record ConfigsOfEntity(String namespace, String entityId) implements Listing {}

  /** The configs of resources, as {@link ListEntry.Stored}. */
  record ResourceConfigs(String namespace) implements Listing {}

  /**
   * The audit events about a subject, the newest first, as {@link ListEntry.Stored}; consistent.
   *
   * @param fromId the oldest id, empty for the beginning
   * @param toId the newest id, empty for no end
   */
  record AuditOfSubject(String namespace, String subject, String fromId, String toId)
      implements Listing {}

  /** All audit events of a namespace, the newest first, as {@link ListEntry.Stored}. */
  record AuditOfNamespace(String namespace, String fromId, String toId) implements Listing {}

  /** The namespaces, by name, as {@link ListEntry.Stored}; consistent. */
  record Namespaces() implements Listing {}

  /** The pieces of long work, the oldest first, as {@link ListEntry.Stored}; consistent. */
  record Jobs(String namespace) implements Listing {}

  /**
   * Everything in an entity's own partition (record, configs, usage), as {@link ListEntry.Item};
   * consistent.
   */
  record ItemsOfEntity(String namespace, String entityId) implements Listing {}

  /**
   * What is kept in an entity's own partition beside its record and its configs, that is usage, as
   * {@link ListEntry.Item}; consistent. Unlike those two, it can be erased without a version: were
   * it the usage of an entity that was created anew, nothing would be decided wrongly.
   */
  record UsageOfEntity(String namespace, String entityId) implements Listing {}

  /** Everything in the table, as {@link ListEntry.Item}: reads all of it. */
  record AllItems() implements Listing {}
}
