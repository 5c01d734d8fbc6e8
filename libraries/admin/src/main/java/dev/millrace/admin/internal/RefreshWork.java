package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that updates existing buckets to the configuration in effect after a change, page by page.
 * The buckets of one (entity, resource) are found by their keys; those of an entity or a resource
 * through an index; those of a whole namespace by scanning the table, because buckets of resources
 * without stored configuration follow the namespace's limits too. That last one is the rare and
 * expensive one.
 */
final class RefreshWork {
  private static final String ENTITY = "entity";
  private static final String RESOURCE = "resource";

  /** Buckets with limits of a stronger level are left alone when their limits are up to date. */
  private static final String WEAKER_THAN = "level";

  private RefreshWork() {}

  /** The job after a change of the limits at a level. */
  static JobRecord afterLimits(NamespaceScope scope, RecordKey.Config changed) {
    return begin(scope, changed, changed.level());
  }

  /** The job after a change that limits do not show: a switch, a cascade. */
  static JobRecord afterOther(NamespaceScope scope, RecordKey.Config changed) {
    return begin(scope, changed, null);
  }

  /** The job after a change of an entity: its switch, its parent, its cascade. */
  static JobRecord afterEntity(NamespaceScope scope, String entityId) {
    return begin(scope, RecordKey.Config.ofEntity(scope.id(), entityId), null);
  }

  private static JobRecord begin(
      NamespaceScope scope, RecordKey.Config changed, @Nullable ConfigLevel weakerThan) {
    Map<String, String> arguments = new HashMap<>();
    if (!changed.entityId().isEmpty()) {
      arguments.put(ENTITY, changed.entityId());
    }
    if (!changed.resource().isEmpty()) {
      arguments.put(RESOURCE, changed.resource());
    }
    if (weakerThan != null) {
      arguments.put(WEAKER_THAN, weakerThan.name());
    }
    JobKind kind =
        switch (changed.level()) {
          case ENTITY_RESOURCE, CALL -> JobKind.REFRESH_BUCKET;
          case ENTITY -> JobKind.REFRESH_ENTITY;
          case RESOURCE -> JobKind.REFRESH_RESOURCE;
          case SYSTEM -> JobKind.REFRESH_NAMESPACE;
        };
    return JobRunner.begin(scope, kind, arguments);
  }

  static JobRunner.Slice entity(NamespaceScope scope, JobRecord job) {
    Listing listing = new Listing.BucketsOfEntity(scope.id(), JobRunner.argument(job, ENTITY));
    return listed(scope, job, listing, scope.options().pageSize());
  }

  static JobRunner.Slice resource(NamespaceScope scope, JobRecord job) {
    Listing listing = new Listing.BucketsOfResource(scope.id(), JobRunner.argument(job, RESOURCE));
    return listed(scope, job, listing, scope.options().pageSize());
  }

  static JobRunner.Slice namespace(NamespaceScope scope, JobRecord job) {
    return listed(scope, job, new Listing.BucketsOfNamespace(scope.id()), NamespacePurge.SCAN_PAGE);
  }

  /** All shards at once: there are few, and the final check must cover all of them. */
  static JobRunner.Slice bucket(NamespaceScope scope, JobRecord job) {
    BucketKey first =
        BucketKey.first(
            scope.id(), JobRunner.argument(job, ENTITY), JobRunner.argument(job, RESOURCE));
    List<BucketState> shards = BucketReads.shards(scope, first, /* believed= */ 1);
    return JobRunner.Slice.last(shards.size(), refresher(scope, job).refresh(List.of(shards)));
  }

  private static JobRunner.Slice listed(
      NamespaceScope scope, JobRecord job, Listing listing, int pageSize) {
    StoreReply.Page page = scope.list(listing, pageSize, job.cursor());
    List<BucketKey> keys = BucketReads.keys(page);
    long changed = refresher(scope, job).refresh(BucketReads.ofPage(scope, keys));
    return JobRunner.Slice.of(page.cursor(), keys.size(), changed);
  }

  private static BucketRefresher refresher(NamespaceScope scope, JobRecord job) {
    String level = job.arguments().get(WEAKER_THAN);
    return new BucketRefresher(scope, level == null ? null : ConfigLevel.valueOf(level));
  }
}
