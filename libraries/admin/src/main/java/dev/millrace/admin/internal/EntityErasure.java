package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job that removes the data of an entity: its buckets, its configs, its usage, and its buckets
 * once more, because the index may have lagged behind the first time. The cursor is the stage and
 * the position within it.
 */
final class EntityErasure {
  private enum Stage {
    BUCKETS,
    CONFIGS,
    USAGE,
    BUCKETS_AGAIN
  }

  /** Most configs at once: the tombstone and the job are in one transaction with them. */
  private static final int MAX_CONFIGS = StoreCall.Transaction.MAX_ACTIONS - 2;

  private static final char SEPARATOR = ':';

  private final NamespaceScope scope;
  private final JobRecord job;
  private final String entityId;

  private EntityErasure(NamespaceScope scope, JobRecord job) {
    this.scope = scope;
    this.job = job;
    this.entityId = JobRunner.argument(job, "entity");
  }

  static JobRunner.Slice next(NamespaceScope scope, JobRecord job) {
    EntityErasure work = new EntityErasure(scope, job);
    String[] at = (job.cursor() == null ? Stage.BUCKETS + ":" : job.cursor()).split(":", 2);
    String cursor = at[1].isEmpty() ? null : at[1];
    return switch (Stage.valueOf(at[0])) {
      case BUCKETS -> work.buckets(Stage.BUCKETS, cursor);
      case CONFIGS -> work.configs(cursor);
      case USAGE -> work.usage(cursor);
      case BUCKETS_AGAIN -> work.buckets(Stage.BUCKETS_AGAIN, cursor);
    };
  }

  private static JobRunner.Slice go(Stage stage, @Nullable String cursor, long count) {
    return JobRunner.Slice.of(
        stage.name() + SEPARATOR + (cursor == null ? "" : cursor), count, count);
  }

  private int pageSize() {
    return scope.options().pageSize();
  }

  private JobRunner.Slice buckets(Stage stage, @Nullable String cursor) {
    Listing listing = new Listing.BucketsOfEntity(scope.id(), entityId);
    StoreReply.Page page = scope.list(listing, pageSize(), cursor);
    List<BucketKey> keys = withAllShards(page);
    if (!keys.isEmpty()) {
      scope.tools().rate.take(keys.size());
      JobRunner.requireOwned(scope, job);
      scope.calls().eraseBuckets(keys);
    }
    if (page.cursor() != null) {
      return go(stage, page.cursor(), keys.size());
    }
    return stage == Stage.BUCKETS
        ? go(Stage.CONFIGS, null, keys.size())
        : JobRunner.Slice.last(keys.size(), keys.size());
  }

  /** The listed buckets, with shards that the index does not show yet. */
  private List<BucketKey> withAllShards(StoreReply.Page page) {
    List<BucketKey> listed = BucketReads.keys(page);
    Set<BucketKey> all = new LinkedHashSet<>(listed);
    for (List<BucketState> shards : BucketReads.ofFirst(scope, listed)) {
      shards.forEach(shard -> all.add(shard.key()));
    }
    return List.copyOf(all);
  }

  private JobRunner.Slice configs(@Nullable String cursor) {
    Listing listing = new Listing.ConfigsOfEntity(scope.id(), entityId);
    StoreReply.Page page = scope.list(listing, Math.min(pageSize(), MAX_CONFIGS), cursor);
    List<ConfigRecord> configs = new ArrayList<>();
    for (ListEntry entry : page.entries()) {
      ConfigRecord config = (ConfigRecord) ((ListEntry.Stored) entry).record();
      if (config.key().level() == ConfigLevel.ENTITY_RESOURCE) {
        configs.add(config);
      }
    }
    if (!configs.isEmpty()) {
      scope.tools().rate.take(configs.size());
      absorb(configs);
    }
    return page.cursor() == null
        ? go(Stage.USAGE, null, configs.size())
        : go(Stage.CONFIGS, page.cursor(), configs.size());
  }

  private JobRunner.Slice usage(@Nullable String cursor) {
    Listing listing = new Listing.UsageOfEntity(scope.id(), entityId);
    StoreReply.Page page = scope.list(listing, pageSize(), cursor);
    List<ItemAddress> items = new ArrayList<>();
    page.entries().forEach(entry -> items.add(((ListEntry.Item) entry).address()));
    if (!items.isEmpty()) {
      scope.tools().rate.take(items.size());
      JobRunner.requireOwned(scope, job);
      scope.calls().eraseItems(items);
    }
    return page.cursor() == null
        ? go(Stage.BUCKETS_AGAIN, null, items.size())
        : go(Stage.USAGE, page.cursor(), items.size());
  }

  /**
   * Removes configs; the tombstone's floor is raised above their versions in the same transaction,
   * so that no version is ever lower than before.
   */
  private void absorb(List<ConfigRecord> configs) {
    scope.retry("delete configs of " + entityId, () -> absorbOnce(configs));
  }

  private @Nullable Boolean absorbOnce(List<ConfigRecord> configs) {
    JobRunner.requireOwned(scope, job);
    RecordKey stoneKey = RecordKey.Config.ofEntity(scope.id(), entityId);
    ConfigRecord stone = (ConfigRecord) scope.lookup(stoneKey);
    Collection<StoredRecord> now =
        scope.lookup(configs.stream().map(ConfigRecord::key).toList()).values();
    if (now.isEmpty()) {
      return true;
    }
    long removed = now.stream().mapToLong(StoredRecord::version).max().orElse(0);
    List<RecordChange> changes = new ArrayList<>();
    changes.add(new RecordChange.Check(job.key(), job.version()));
    changes.add(
        new RecordChange.Put(
            tombstone(scope, entityId, stone, removed), stone == null ? 0 : stone.version()));
    now.forEach(config -> changes.add(new RecordChange.Delete(config.key(), config.version())));
    return scope.commit(changes) == null ? true : null;
  }

  /**
   * The record that stays of a removed entity: see {@link EntityRemoval}.
   *
   * @param before the entity's configuration, null for none
   * @param removedVersion the latest version among the records that are removed
   */
  static ConfigRecord tombstone(
      NamespaceScope scope, String entityId, @Nullable ConfigRecord before, long removedVersion) {
    RecordKey.Config key = RecordKey.Config.ofEntity(scope.id(), entityId);
    return (before == null ? ConfigRecord.empty(key) : before).asTombstone(removedVersion);
  }
}
