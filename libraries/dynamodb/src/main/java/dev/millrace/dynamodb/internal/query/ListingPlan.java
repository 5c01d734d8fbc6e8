package dev.millrace.dynamodb.internal.query;

import dev.millrace.NameRules;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import org.jspecify.annotations.Nullable;

/**
 * The plan by which a listing is read, a query or a scan: the place of its entries in the table.
 * Names are checked here, because a listing is made without: one that looks like a key must not
 * reach into another namespace.
 */
public sealed interface ListingPlan {
  Shape shape();

  /** The namespace that all entries belong to, null when it covers all of them. */
  @Nullable String namespace();

  /** Identifies this listing among all; stays the same for ever, because cursors are kept. */
  String identity();

  enum Shape {
    /** Entities, by their keys alone. */
    ENTITIES,
    /** Buckets, by their keys alone. */
    BUCKETS,
    /** Records, which are read with the listing. */
    RECORDS,
    /** Records of which the listing has the keys only, so that they are read afterwards. */
    INDEXED_RECORDS,
    ITEMS
  }

  /**
   * A range of sort keys.
   *
   * @param kind how they are bounded
   * @param from the prefix, or the first; empty when the kind needs none
   * @param to the last; empty when the kind needs none
   */
  record SortRange(Kind kind, String from, String to) {
    enum Kind {
      ALL,
      PREFIX,
      FROM,
      TO,
      BETWEEN
    }

    private static final SortRange ALL = new SortRange(Kind.ALL, "", "");

    private static SortRange prefix(String prefix) {
      return new SortRange(Kind.PREFIX, prefix, "");
    }

    /** From and to, each empty for no bound. */
    private static SortRange between(String from, String to) {
      if (from.isEmpty()) {
        return to.isEmpty() ? ALL : new SortRange(Kind.TO, "", to);
      }
      return new SortRange(to.isEmpty() ? Kind.FROM : Kind.BETWEEN, from, to);
    }

    boolean contains(String sort) {
      return kind == Kind.PREFIX
          ? sort.startsWith(from)
          : sort.compareTo(from) >= 0 && (to.isEmpty() || sort.compareTo(to) <= 0);
    }
  }

  /**
   * A part of one partition.
   *
   * @param index the index, null for the table itself
   * @param partition the partition key
   * @param newestFirst whether the last sort key comes first
   */
  record Query(
      Shape shape,
      String namespace,
      @Nullable TableIndex index,
      String partition,
      SortRange sort,
      boolean newestFirst)
      implements ListingPlan {
    @Override
    public String identity() {
      // The lengths separate the parts: a subject may contain any separator.
      return String.join(
          " ",
          index == null ? "table" : index.indexName(),
          sort.kind().name(),
          String.valueOf(partition.length()),
          String.valueOf(sort.from().length()),
          partition,
          sort.from(),
          sort.to());
    }

    /** Whether it is empty in any table; DynamoDB refuses such a range. */
    public boolean isEmpty() {
      return sort.kind() == SortRange.Kind.BETWEEN && sort.from().compareTo(sort.to()) > 0;
    }
  }

  /**
   * The whole table.
   *
   * @param prefix the prefix of the partition keys, empty for all
   */
  record Scan(Shape shape, @Nullable String namespace, String prefix) implements ListingPlan {
    @Override
    public String identity() {
      return "scan " + prefix;
    }
  }

  /**
   * The plan of {@code listing}.
   *
   * @throws IllegalArgumentException when it has a bad name
   */
  static ListingPlan of(Listing listing) {
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
          PartitionKeys.resource(
              buckets.namespace(), NameRules.requireResource(buckets.resource())),
          SortRange.prefix(TableIndex.BUCKET));
    }
    if (listing instanceof Listing.BucketsOfEntity buckets) {
      return index(
          Shape.BUCKETS,
          NameRules.requireNamespace(buckets.namespace()),
          TableIndex.ENTITY_BUCKETS,
          PartitionKeys.entity(buckets.namespace(), NameRules.requireEntityId(buckets.entityId())),
          SortRange.prefix(TableIndex.BUCKET));
    }
    if (listing instanceof Listing.Roots roots) {
      return children(roots.namespace(), null);
    }
    if (listing instanceof Listing.Children children) {
      return children(children.namespace(), NameRules.requireEntityId(children.parentId()));
    }
    if (listing instanceof Listing.ConfiguredEntities configs) {
      return configured(configs.namespace(), NameRules.requireResource(configs.resource()));
    }
    if (listing instanceof Listing.DefaultedEntities configs) {
      return configured(configs.namespace(), SortKeys.DEFAULT_RESOURCE);
    }
    if (listing instanceof Listing.ResourceConfigs configs) {
      return index(
          Shape.INDEXED_RECORDS,
          NameRules.requireNamespace(configs.namespace()),
          TableIndex.DIRECTORY,
          TableIndex.resources(configs.namespace()),
          SortRange.ALL);
    }
    if (listing instanceof Listing.ConfigsOfEntity configs) {
      SortRange all = SortRange.prefix(SortKeys.CONFIGS);
      return ofEntity(Shape.RECORDS, configs.namespace(), configs.entityId(), all);
    }
    if (listing instanceof Listing.ItemsOfEntity items) {
      return ofEntity(Shape.ITEMS, items.namespace(), items.entityId(), SortRange.ALL);
    }
    if (listing instanceof Listing.UsageOfEntity usage) {
      SortRange all = SortRange.prefix(SortKeys.USAGES);
      return ofEntity(Shape.ITEMS, usage.namespace(), usage.entityId(), all);
    }
    return ofSystem(listing);
  }

  private static ListingPlan ofSystem(Listing listing) {
    if (listing instanceof Listing.Namespaces) {
      return records(
          PartitionKeys.SYSTEM_NAMESPACE,
          PartitionKeys.table(),
          SortRange.prefix(SortKeys.NAMESPACES),
          /* newestFirst= */ false);
    }
    if (listing instanceof Listing.Jobs jobs) {
      RecordAddress.requireNamespace(jobs.namespace());
      return records(
          jobs.namespace(),
          PartitionKeys.system(jobs.namespace()),
          SortRange.prefix(SortKeys.JOBS),
          /* newestFirst= */ false);
    }
    if (listing instanceof Listing.AuditOfNamespace audit) {
      RecordAddress.requireNamespace(audit.namespace());
      requireIds(audit.fromId(), audit.toId());
      return new Query(
          Shape.INDEXED_RECORDS,
          audit.namespace(),
          TableIndex.DIRECTORY,
          TableIndex.audit(audit.namespace()),
          SortRange.between(audit.fromId(), audit.toId()),
          /* newestFirst= */ true);
    }
    if (!(listing instanceof Listing.AuditOfSubject audit)) {
      throw new IllegalArgumentException("this store has no listing " + listing);
    }
    RecordAddress.requireNamespace(audit.namespace());
    RecordAddress.requireText("subject", audit.subject(), RecordAddress.MAX_SUBJECT_BYTES);
    requireIds(audit.fromId(), audit.toId());
    return records(
        audit.namespace(),
        PartitionKeys.audit(audit.namespace(), audit.subject()),
        SortRange.between(
            audit.fromId().isEmpty() ? "" : SortKeys.AUDITS + audit.fromId(),
            audit.toId().isEmpty() ? "" : SortKeys.AUDITS + audit.toId()),
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

  private static Query children(String namespace, @Nullable String parentId) {
    return index(
        Shape.ENTITIES,
        NameRules.requireNamespace(namespace),
        TableIndex.PARENT_CHILDREN,
        TableIndex.childrenOf(namespace, parentId),
        SortRange.prefix(TableIndex.CHILD));
  }

  private static Query configured(String namespace, String resource) {
    return index(
        Shape.ENTITIES,
        NameRules.requireNamespace(namespace),
        TableIndex.DIRECTORY,
        TableIndex.configsOfResource(namespace, resource),
        SortRange.ALL);
  }

  private static Query ofEntity(Shape shape, String namespace, String entityId, SortRange sort) {
    return new Query(
        shape,
        NameRules.requireNamespace(namespace),
        /* index= */ null,
        PartitionKeys.entity(namespace, NameRules.requireEntityId(entityId)),
        sort,
        /* newestFirst= */ false);
  }

  private static Query records(
      String namespace, String partition, SortRange sort, boolean newestFirst) {
    return new Query(Shape.RECORDS, namespace, null, partition, sort, newestFirst);
  }

  private static Query index(
      Shape shape, String namespace, TableIndex index, String partition, SortRange sort) {
    return new Query(shape, namespace, index, partition, sort, /* newestFirst= */ false);
  }

  static Query of(UsageListing listing) {
    if (listing instanceof UsageListing.OfResource ofResource) {
      return index(
          Shape.INDEXED_RECORDS,
          ofResource.namespace(),
          TableIndex.RESOURCE_RECORDS,
          PartitionKeys.resource(ofResource.namespace(), ofResource.resource()),
          SortRange.prefix(
              TableIndex.usageOfResource(
                  ofResource.window().toString(), UsageKey.startText(ofResource.startMs()), "")));
    }
    UsageListing.OfEntity ofEntity = (UsageListing.OfEntity) listing;
    // Starts are whole minutes, so the last one before the end is a minute before it.
    long firstMs = wholeMinute(ofEntity.fromMs());
    long lastMs = wholeMinute(ofEntity.toMs()) - MINUTE_MS;
    return records(
        ofEntity.namespace(),
        PartitionKeys.entity(ofEntity.namespace(), ofEntity.entityId()),
        SortRange.between(sort(ofEntity, firstMs), sort(ofEntity, lastMs)),
        /* newestFirst= */ false);
  }

  long MINUTE_MS = 60_000;

  private static long wholeMinute(long timeMs) {
    return -Math.floorDiv(-timeMs, MINUTE_MS) * MINUTE_MS; // up
  }

  private static String sort(UsageListing.OfEntity listing, long startMs) {
    return SortKeys.usage(
        listing.resource(), listing.window().toString(), UsageKey.startText(startMs));
  }
}
