package dev.millrace.testkit;

import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.testkit.internal.memory.MemoryUsage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Usage in memory, kept as DynamoDB keeps it; {@link UsageStoreContract} checks that. Nothing
 * expires. Safe for use by many threads.
 */
public final class InMemoryUsageStore implements UsageStore {
  private static final Comparator<UsageItem> BY_START =
      Comparator.comparingLong(item -> item.key().startMs());
  private static final Comparator<UsageItem> BY_ENTITY =
      Comparator.comparing(item -> item.key().entityId());

  private final Map<UsageKey, MemoryUsage> items = new ConcurrentHashMap<>();

  @Override
  public UsageReply apply(UsageWrite write) {
    return items
        .computeIfAbsent(write.key(), key -> new MemoryUsage(write.expiresAtSeconds()))
        .apply(write);
  }

  @Override
  public List<UsageItem> find(List<UsageKey> keys) {
    if (keys.size() > UsagePage.MAX_SIZE || new HashSet<>(keys).size() < keys.size()) {
      throw new IllegalArgumentException(
          keys.size() + " keys, must be at most " + UsagePage.MAX_SIZE + ", each once");
    }
    List<UsageItem> found = new ArrayList<>();
    for (UsageKey key : keys) {
      MemoryUsage item = items.get(key);
      if (item != null) {
        found.add(item.read(key));
      }
    }
    return found;
  }

  @Override
  public UsagePage list(UsageListing listing, int limit, @Nullable String cursor) {
    if (limit < 1 || limit > UsagePage.MAX_SIZE) {
      throw new IllegalArgumentException(
          "limit " + limit + " must be from 1 to " + UsagePage.MAX_SIZE);
    }
    List<UsageItem> all =
        listing instanceof UsageListing.OfEntity ofEntity
            ? sorted(key -> isIn(key, ofEntity), BY_START)
            : sorted(key -> isIn(key, (UsageListing.OfResource) listing), BY_ENTITY);
    String after = cursor == null ? "" : parse(listing, cursor);
    List<UsageItem> page =
        all.stream()
            .filter(item -> place(listing, item).compareTo(after) > 0)
            .limit(limit)
            .toList();
    return new UsagePage(
        page,
        page.size() < limit ? null : format(listing, place(listing, page.get(page.size() - 1))));
  }

  /** Everything that is there, in any order. */
  public List<UsageItem> all() {
    return sorted(key -> true, BY_START);
  }

  private List<UsageItem> sorted(Predicate<UsageKey> wanted, Comparator<UsageItem> order) {
    return items.entrySet().stream()
        .filter(item -> wanted.test(item.getKey()))
        .map(item -> item.getValue().read(item.getKey()))
        .sorted(order)
        .toList();
  }

  private static boolean isIn(UsageKey key, UsageListing.OfEntity listing) {
    return key.namespace().equals(listing.namespace())
        && key.entityId().equals(listing.entityId())
        && key.resource().equals(listing.resource())
        && key.window().equals(listing.window())
        && key.startMs() >= listing.fromMs()
        && key.startMs() < listing.toMs();
  }

  private static boolean isIn(UsageKey key, UsageListing.OfResource listing) {
    return key.namespace().equals(listing.namespace())
        && key.resource().equals(listing.resource())
        && key.window().equals(listing.window())
        && key.startMs() == listing.startMs();
  }

  private static String place(UsageListing listing, UsageItem item) {
    return listing instanceof UsageListing.OfEntity
        ? item.key().startText()
        : item.key().entityId();
  }

  private static String format(UsageListing listing, String place) {
    String text = listing + "\n" + place;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String parse(UsageListing listing, String cursor) {
    String prefix = listing + "\n";
    String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    if (!text.startsWith(prefix)) {
      throw new IllegalArgumentException("cursor '" + cursor + "' is not one of " + listing);
    }
    return text.substring(prefix.length());
  }
}
