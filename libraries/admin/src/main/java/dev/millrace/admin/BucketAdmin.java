package dev.millrace.admin;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.NameRules;
import dev.millrace.admin.internal.BucketOperations;
import dev.millrace.admin.internal.BucketReads;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.Listing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations on single buckets. Reset and top-up change all shards in one transaction with one
 * audit event. Each has an operation id that the caller chooses: repeating a call with the same id
 * changes nothing and reports that, for as long as audit events are kept.
 */
public final class BucketAdmin {
  /** Most shards that can be requested: all of them fit into one transaction. */
  public static final int MAX_SHARDS = 64;

  private final NamespaceScope scope;

  BucketAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** The bucket of an entity and resource, empty when there is none: then it counts as full. */
  public Optional<BucketReport> get(String entityId, String resource) {
    return Optional.ofNullable(BucketReads.find(scope, key(entityId, resource)));
  }

  /** The shards of a bucket in the order of their numbers, none when there is no bucket. */
  public List<ShardView> shards(String entityId, String resource) {
    return BucketReads.shardViews(scope, key(entityId, resource));
  }

  /** A page of the buckets of an entity, by resource. */
  public Page<BucketReport> ofEntity(String entityId, int pageSize, @Nullable String cursor) {
    NameRules.requireEntityId(entityId);
    return BucketReads.page(
        scope, new Listing.BucketsOfEntity(scope.id(), entityId), pageSize, cursor);
  }

  /** A page of the buckets of a resource, by entity. */
  public Page<BucketReport> ofResource(String resource, int pageSize, @Nullable String cursor) {
    NameRules.requireResource(resource);
    return BucketReads.page(
        scope, new Listing.BucketsOfResource(scope.id(), resource), pageSize, cursor);
  }

  /**
   * The used and the available amounts of a resource over all its buckets, page by page; only one
   * page is in memory.
   *
   * @param each receives every page and the totals so far
   * @return the totals of all pages
   */
  public CapacityTotals capacity(
      String resource, BiConsumer<Page<BucketReport>, CapacityTotals> each) {
    CapacityTotals totals = CapacityTotals.NONE;
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<BucketReport> page = ofResource(resource, scope.options().pageSize(), cursor);
      totals = totals.plus(CapacityTotals.of(page.items()));
      each.accept(page, totals);
      cursor = page.cursor();
    } while (cursor != null);
    return totals;
  }

  /** A page of the buckets of the namespace. Reading all pages scans the whole table. */
  public Page<BucketReport> all(int pageSize, @Nullable String cursor) {
    return BucketReads.page(scope, new Listing.BucketsOfNamespace(scope.id()), pageSize, cursor);
  }

  /** Fills all limits to their ceiling. */
  public OperationResult reset(String entityId, String resource, String operationId) {
    return reset(entityId, resource, Set.of(), operationId);
  }

  /**
   * Fills limits to their ceiling; debt is forgiven. The consumption counted so far stays.
   *
   * @param limits the limits to fill, all when empty
   */
  public OperationResult reset(
      String entityId, String resource, Set<String> limits, String operationId) {
    return new BucketOperations(scope)
        .reset(key(entityId, resource), Set.copyOf(limits), operationId);
  }

  /**
   * Adds tokens, up to the ceiling of each limit. Every shard gets its part; what does not fit into
   * one shard goes to the others.
   *
   * @param amounts whole tokens by limit, each at least 1
   */
  public OperationResult topUp(
      String entityId, String resource, Map<String, Long> amounts, String operationId) {
    if (amounts.isEmpty()) {
      throw new IllegalArgumentException("amounts: at least one is needed");
    }
    Map<String, Long> milli = new HashMap<>();
    amounts.forEach(
        (limit, tokens) -> {
          if (tokens < 1 || tokens > Limit.MAX_TOKENS) {
            throw new IllegalArgumentException(
                "limit '"
                    + limit
                    + "': amount "
                    + tokens
                    + " must be from 1 to "
                    + Limit.MAX_TOKENS);
          }
          milli.put(limit, tokens * Limit.MILLI);
        });
    return new BucketOperations(scope).topUp(key(entityId, resource), milli, operationId);
  }

  /**
   * Sets the number of shards that a bucket should have. This call splits and merges nothing: the
   * next request that uses a shard which is not yet divided as it should be does one step of that,
   * and an unused bucket stays as it is. The content of the bucket stays the same throughout.
   * Limiters continue to double and halve the number by the load they observe.
   *
   * @param shards a power of two from 1 to {@link #MAX_SHARDS}
   * @return whether the number was different before
   */
  public boolean resize(String entityId, String resource, int shards) {
    if (shards < 1 || shards > MAX_SHARDS || Integer.bitCount(shards) != 1) {
      throw new IllegalArgumentException(
          "shards " + shards + " must be a power of two from 1 to " + MAX_SHARDS);
    }
    return new BucketOperations(scope).resize(key(entityId, resource), shards);
  }

  private BucketKey key(String entityId, String resource) {
    return BucketKey.first(scope.id(), entityId, resource);
  }
}
