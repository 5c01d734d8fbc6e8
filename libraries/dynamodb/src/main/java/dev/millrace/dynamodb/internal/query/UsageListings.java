package dev.millrace.dynamodb.internal.query;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.IndexKeys;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.SortKeys;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Plans listings of usage. */
public final class UsageListings {
  private static final long MINUTE_MS = 60_000;

  private UsageListings() {}

  /** The part of a partition that {@code listing} is in. */
  public static ListingPlan.Query plan(UsageListing listing) {
    return listing instanceof UsageListing.OfEntity ofEntity
        ? ofEntity(ofEntity)
        : ofResource((UsageListing.OfResource) listing);
  }

  private static ListingPlan.Query ofEntity(UsageListing.OfEntity listing) {
    // Starts are whole minutes, so the last one before the end is a minute before it.
    long firstMs = wholeMinute(listing.fromMs());
    long lastMs = wholeMinute(listing.toMs()) - MINUTE_MS;
    return new ListingPlan.Query(
        ListingPlan.Shape.RECORDS,
        listing.namespace(),
        /* index= */ null,
        PartitionKeys.entity(listing.namespace(), listing.entityId()),
        SortRange.between(sort(listing, firstMs), sort(listing, lastMs)),
        /* newestFirst= */ false);
  }

  private static long wholeMinute(long timeMs) {
    return -Math.floorDiv(-timeMs, MINUTE_MS) * MINUTE_MS; // up
  }

  private static String sort(UsageListing.OfEntity listing, long startMs) {
    return SortKeys.usage(
        listing.resource(), listing.window().toString(), UsageKey.startText(startMs));
  }

  private static ListingPlan.Query ofResource(UsageListing.OfResource listing) {
    return new ListingPlan.Query(
        ListingPlan.Shape.INDEXED_RECORDS,
        listing.namespace(),
        TableIndex.RESOURCE_RECORDS,
        IndexKeys.resource(listing.namespace(), listing.resource()),
        SortRange.prefix(
            IndexKeys.usageOfResource(
                listing.window().toString(), UsageKey.startText(listing.startMs()), "")),
        /* newestFirst= */ false);
  }

  /** The cursor of the page that ended with {@code lastKey}, null when it was the last one. */
  public static @Nullable String cursor(
      ListingPlan.Query plan, Map<String, AttributeValue> lastKey) {
    return lastKey.isEmpty() ? null : Cursor.format(plan, lastKey);
  }

  /** The addresses of {@code items}, in their order. */
  public static List<ItemAddress> addresses(List<Map<String, AttributeValue>> items) {
    return items.stream().map(Attributes::address).toList();
  }
}
