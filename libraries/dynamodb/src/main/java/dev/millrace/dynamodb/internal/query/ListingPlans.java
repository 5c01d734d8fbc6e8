package dev.millrace.dynamodb.internal.query;

import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.query.ListingPlan.Query;
import dev.millrace.dynamodb.internal.query.ListingPlan.Scan;
import dev.millrace.dynamodb.internal.query.ListingPlan.Shape;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;

/**
 * Plans each listing: the place of its entries in the table. Names are checked here, because a
 * listing is made without: one that looks like a key must not reach into another namespace.
 */
public final class ListingPlans {
  private ListingPlans() {}

  /**
   * How {@code listing} is read.
   *
   * @throws IllegalArgumentException when it has a bad name
   */
  public static ListingPlan of(Listing listing) {
    if (listing instanceof Listing.Namespaces) {
      return table(
          Shape.RECORDS,
          PartitionKeys.SYSTEM_NAMESPACE,
          PartitionKeys.table(),
          SortRange.prefix(SortKeys.NAMESPACES));
    }
    if (listing instanceof Listing.AllItems) {
      return new Scan(Shape.ITEMS, null, "");
    }
    if (listing instanceof Listing.BucketsOfNamespace buckets) {
      String namespace = NameRules.requireNamespace(buckets.namespace());
      return new Scan(Shape.BUCKETS, namespace, BucketCodec.partitionPrefix(namespace));
    }
    if (listing instanceof Listing.BucketsOfResource buckets) {
      return index(
          Shape.BUCKETS,
          NameRules.requireNamespace(buckets.namespace()),
          TableIndex.RESOURCE_RECORDS,
          IndexKeys.resource(buckets.namespace(), NameRules.requireResource(buckets.resource())),
          SortRange.prefix(IndexKeys.BUCKET));
    }
    if (listing instanceof Listing.BucketsOfEntity buckets) {
      return index(
          Shape.BUCKETS,
          NameRules.requireNamespace(buckets.namespace()),
          TableIndex.ENTITY_BUCKETS,
          IndexKeys.entity(buckets.namespace(), NameRules.requireEntityId(buckets.entityId())),
          SortRange.prefix(IndexKeys.BUCKET));
    }
    return ofRecords(listing);
  }

  private static ListingPlan ofRecords(Listing listing) {
    if (listing instanceof Listing.Roots roots) {
      String namespace = NameRules.requireNamespace(roots.namespace());
      return children(namespace, IndexKeys.roots(namespace));
    }
    if (listing instanceof Listing.Children children) {
      String namespace = NameRules.requireNamespace(children.namespace());
      return children(
          namespace, IndexKeys.parent(namespace, NameRules.requireEntityId(children.parentId())));
    }
    if (listing instanceof Listing.ConfiguredEntities configs) {
      return configured(configs.namespace(), NameRules.requireResource(configs.resource()));
    }
    if (listing instanceof Listing.DefaultedEntities configs) {
      return configured(configs.namespace(), SortKeys.DEFAULT_RESOURCE);
    }
    if (listing instanceof Listing.ResourceConfigs configs) {
      String namespace = NameRules.requireNamespace(configs.namespace());
      return index(
          Shape.INDEXED_RECORDS,
          namespace,
          TableIndex.DIRECTORY,
          IndexKeys.resources(namespace),
          SortRange.ALL);
    }
    if (listing instanceof Listing.ConfigsOfEntity configs) {
      return ofEntity(
          Shape.RECORDS,
          configs.namespace(),
          configs.entityId(),
          SortRange.prefix(SortKeys.CONFIGS));
    }
    if (listing instanceof Listing.ItemsOfEntity items) {
      return ofEntity(Shape.ITEMS, items.namespace(), items.entityId(), SortRange.ALL);
    }
    if (listing instanceof Listing.UsageOfEntity usage) {
      return ofEntity(
          Shape.ITEMS, usage.namespace(), usage.entityId(), SortRange.prefix(SortKeys.USAGES));
    }
    return ofEvents(listing);
  }

  private static ListingPlan ofEvents(Listing listing) {
    if (listing instanceof Listing.Jobs jobs) {
      RecordAddress.requireNamespace(jobs.namespace());
      return table(
          Shape.RECORDS,
          jobs.namespace(),
          PartitionKeys.system(jobs.namespace()),
          SortRange.prefix(SortKeys.JOBS));
    }
    if (listing instanceof Listing.AuditOfNamespace audit) {
      RecordAddress.requireNamespace(audit.namespace());
      requireIds(audit.fromId(), audit.toId());
      return new Query(
          Shape.INDEXED_RECORDS,
          audit.namespace(),
          TableIndex.DIRECTORY,
          IndexKeys.audit(audit.namespace()),
          SortRange.between(audit.fromId(), audit.toId()),
          /* newestFirst= */ true);
    }
    if (!(listing instanceof Listing.AuditOfSubject audit)) {
      throw new IllegalArgumentException("this store has no listing " + listing);
    }
    RecordAddress.requireNamespace(audit.namespace());
    RecordAddress.requireText("subject", audit.subject(), RecordAddress.MAX_SUBJECT_BYTES);
    requireIds(audit.fromId(), audit.toId());
    return new Query(
        Shape.RECORDS,
        audit.namespace(),
        null,
        PartitionKeys.audit(audit.namespace(), audit.subject()),
        SortRange.between(
            audit.fromId().isEmpty() ? "" : SortKeys.audit(audit.fromId()),
            audit.toId().isEmpty() ? "" : SortKeys.audit(audit.toId())),
        /* newestFirst= */ true);
  }

  private static void requireIds(String fromId, String toId) {
    if (!fromId.isEmpty()) {
      RecordAddress.requireText("fromId", fromId, RecordAddress.MAX_ID_BYTES);
    }
    if (!toId.isEmpty()) {
      RecordAddress.requireText("toId", toId, RecordAddress.MAX_ID_BYTES);
    }
  }

  private static Query children(String namespace, String partition) {
    return index(
        Shape.ENTITIES,
        namespace,
        TableIndex.PARENT_CHILDREN,
        partition,
        SortRange.prefix(IndexKeys.CHILD));
  }

  private static Query configured(String namespace, String resource) {
    return index(
        Shape.ENTITIES,
        NameRules.requireNamespace(namespace),
        TableIndex.DIRECTORY,
        IndexKeys.configsOfResource(namespace, resource),
        SortRange.ALL);
  }

  private static Query ofEntity(Shape shape, String namespace, String entityId, SortRange sort) {
    return table(
        shape,
        NameRules.requireNamespace(namespace),
        PartitionKeys.entity(namespace, NameRules.requireEntityId(entityId)),
        sort);
  }

  private static Query table(Shape shape, String namespace, String partition, SortRange sort) {
    return new Query(shape, namespace, null, partition, sort, /* newestFirst= */ false);
  }

  private static Query index(
      Shape shape, String namespace, TableIndex index, String partition, SortRange sort) {
    return new Query(shape, namespace, index, partition, sort, /* newestFirst= */ false);
  }
}
