package dev.millrace.admin;

import dev.millrace.NameRules;
import dev.millrace.admin.internal.AncestorChains;
import dev.millrace.admin.internal.ListingPages;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The usage that the aggregator has counted: it lags behind the buckets. Expired usage is not
 * shown, whether or not it is deleted yet.
 */
public final class UsageAdmin {
  /** Most entities of a list of the top users. */
  public static final int MAX_TOP = 1_000;

  private static final long SECOND_MS = 1_000;

  private final NamespaceScope scope;
  private final UsageStore store;

  UsageAdmin(NamespaceScope scope, UsageStore store) {
    this.scope = scope;
    this.store = store;
  }

  /**
   * A page of an entity's usage of a resource by window, the earliest first. Windows without usage
   * are left out.
   *
   * @param from the earliest beginning of a window
   * @param to the end, exclusive
   */
  public Page<Usage> range(
      String entityId,
      String resource,
      Window window,
      Instant from,
      Instant to,
      int pageSize,
      @Nullable String cursor) {
    return page(listing(entityId, resource, window, from, to), pageSize, cursor);
  }

  /** The total usage of an entity in a range. */
  public UsageSummary summary(
      String entityId, String resource, Window window, Instant from, Instant to) {
    Sum sum = new Sum();
    all(listing(entityId, resource, window, from, to), sum);
    return sum.summary;
  }

  /** The total usage of all entities in the window that contains {@code at}. */
  public UsageSummary ofResource(String resource, Window window, Instant at) {
    Sum sum = new Sum();
    all(ofPiece(resource, window, at), sum);
    return sum.summary;
  }

  /**
   * The entities that used the most of a limit of a resource in the window that contains {@code
   * at}, the most first; ties by id. Reads the usage of all entities in that window, page by page.
   *
   * @param count the number of entities, up to {@link #MAX_TOP}
   */
  public List<Usage> top(String resource, String limit, Window window, Instant at, int count) {
    NameRules.requireLimitName(limit);
    if (count < 1 || count > MAX_TOP) {
      throw new IllegalArgumentException("count " + count + " must be from 1 to " + MAX_TOP);
    }
    Comparator<Usage> mostFirst =
        Comparator.comparingLong((Usage usage) -> usage.milli(limit))
            .reversed()
            .thenComparing(Usage::entityId);
    PriorityQueue<Usage> least = new PriorityQueue<>(mostFirst.reversed());
    all(
        ofPiece(resource, window, at),
        usage -> {
          if (usage.milli(limit) > 0) {
            least.add(usage);
          }
          if (least.size() > count) {
            least.remove();
          }
        });
    return least.stream().sorted(mostFirst).toList();
  }

  /**
   * The usage of an entity and of each of its ancestors, the nearest first, in the window that
   * contains {@code at}. A parent's usage includes the charges of its children that cascade.
   */
  public List<Usage> alongAncestors(String entityId, String resource, Window window, Instant at) {
    NameRules.requireEntityId(entityId);
    List<String> chain = new ArrayList<>();
    AncestorChains.of(scope, entityId).forEach(record -> chain.add(record.key().entityId()));
    return find(chain.isEmpty() ? List.of(entityId) : chain, resource, window, at);
  }

  /**
   * A page of the children of an entity, by id, each with its usage in the window that contains
   * {@code at}.
   */
  public Page<Usage> ofChildren(
      String entityId,
      String resource,
      Window window,
      Instant at,
      int pageSize,
      @Nullable String cursor) {
    Listing listing = new Listing.Children(scope.id(), NameRules.requireEntityId(entityId));
    StoreReply.Page page = scope.list(listing, ListingPages.requireSize(pageSize), cursor);
    List<String> children =
        page.entries().stream().map(entry -> ((ListEntry.Entity) entry).entityId()).toList();
    return new Page<>(find(children, resource, window, at), page.cursor());
  }

  /** The total usage of all children of an entity. */
  public UsageSummary ofChildren(String entityId, String resource, Window window, Instant at) {
    Sum sum = new Sum();
    Page.forEach(
        cursor -> ofChildren(entityId, resource, window, at, scope.options().pageSize(), cursor),
        usage -> {
          if (usage.events() > 0) {
            sum.accept(usage);
          }
        });
    return sum.summary;
  }

  private UsageListing listing(
      String entityId, String resource, Window window, Instant from, Instant to) {
    return new UsageListing.OfEntity(
        scope.id(), entityId, resource, window, from.toEpochMilli(), to.toEpochMilli());
  }

  private UsageListing ofPiece(String resource, Window window, Instant at) {
    return new UsageListing.OfResource(
        scope.id(), resource, window, window.startOf(at.toEpochMilli()));
  }

  private List<Usage> find(List<String> entityIds, String resource, Window window, Instant at) {
    List<UsageKey> keys = new ArrayList<>();
    for (String entityId : entityIds) {
      keys.add(UsageKey.at(scope.id(), entityId, resource, window, at.toEpochMilli()));
    }
    Map<UsageKey, Usage> found = new HashMap<>();
    for (UsageItem item : store.find(keys)) {
      if (!isOver(item)) {
        found.put(item.key(), Usage.of(item));
      }
    }
    return keys.stream().map(key -> found.getOrDefault(key, Usage.none(key))).toList();
  }

  private Page<Usage> page(UsageListing listing, int pageSize, @Nullable String cursor) {
    UsagePage page = store.list(listing, ListingPages.requireSize(pageSize), cursor);
    return new Page<>(
        page.items().stream().filter(item -> !isOver(item)).map(Usage::of).toList(), page.cursor());
  }

  private void all(UsageListing listing, Consumer<Usage> each) {
    Page.forEach(cursor -> page(listing, Page.MAX_SIZE, cursor), each);
  }

  private boolean isOver(UsageItem item) {
    return item.expiresAtSeconds() != UsageWrite.NEVER
        && item.expiresAtSeconds() * SECOND_MS <= scope.nowMs();
  }

  private static final class Sum implements Consumer<Usage> {
    private UsageSummary summary = UsageSummary.NONE;

    @Override
    public void accept(Usage usage) {
      summary = summary.plus(usage);
    }
  }
}
