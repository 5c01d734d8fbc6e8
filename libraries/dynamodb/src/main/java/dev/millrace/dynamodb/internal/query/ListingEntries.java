package dev.millrace.dynamodb.internal.query;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import dev.millrace.dynamodb.internal.schema.PartitionKeys;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Items of a page as entries. Each must belong to the namespace of the listing: an index may hold
 * anything that was written into it.
 */
public final class ListingEntries {
  private ListingEntries() {}

  public static List<ListEntry> of(ListingPlan plan, List<Map<String, AttributeValue>> items) {
    List<ListEntry> entries = new ArrayList<>(items.size());
    for (Map<String, AttributeValue> item : items) {
      ItemAddress address = addressIn(plan, item);
      // Buckets of an older schema, carried over or not, are in the index of their resource too.
      if (plan.shape() != ListingPlan.Shape.BUCKETS || !OldBucketAddress.matches(address)) {
        entries.add(of(plan, address, item));
      }
    }
    return entries;
  }

  private static ListEntry of(
      ListingPlan plan, ItemAddress address, Map<String, AttributeValue> item) {
    try {
      return switch (plan.shape()) {
        case ENTITIES -> new ListEntry.Entity(entityId(address));
        case BUCKETS -> new ListEntry.Bucket(BucketCodec.parsePartition(address.partition()));
        case RECORDS -> new ListEntry.Stored(RecordCodec.decode(item));
        case ITEMS -> new ListEntry.Item(PartitionKeys.namespaceOf(address.partition()), address);
        case INDEXED_RECORDS -> throw new IllegalStateException("its records are not read yet");
      };
    } catch (IllegalArgumentException e) {
      throw corrupt(plan, address, String.valueOf(e.getMessage()), e);
    }
  }

  public static List<ItemAddress> addresses(
      ListingPlan plan, List<Map<String, AttributeValue>> items) {
    return items.stream().map(item -> addressIn(plan, item)).toList();
  }

  /** The entries of a page whose records were read afterwards; those that went are left out. */
  public static List<ListEntry> of(
      List<ItemAddress> addresses, List<Map<String, AttributeValue>> records) {
    Map<ItemAddress, Map<String, AttributeValue>> byAddress = new HashMap<>();
    for (Map<String, AttributeValue> record : records) {
      byAddress.put(Attributes.address(record), record);
    }
    List<ListEntry> entries = new ArrayList<>(records.size());
    for (ItemAddress address : addresses) {
      Map<String, AttributeValue> record = byAddress.get(address);
      if (record != null) {
        entries.add(new ListEntry.Stored(RecordCodec.decode(record)));
      }
    }
    return entries;
  }

  private static ItemAddress addressIn(ListingPlan plan, Map<String, AttributeValue> item) {
    ItemAddress address = Attributes.address(item);
    String namespace = plan.namespace();
    if (namespace != null && !namespace.equals(PartitionKeys.namespaceOf(address.partition()))) {
      throw corrupt(plan, address, "it belongs to another namespace", null);
    }
    return address;
  }

  private static String entityId(ItemAddress address) {
    RecordKey key = RecordAddress.parse(address);
    if (key instanceof RecordKey.Entity entity) {
      return entity.entityId();
    }
    if (key instanceof RecordKey.Config config && !config.entityId().isEmpty()) {
      return config.entityId();
    }
    throw new IllegalArgumentException("it is no entity's");
  }

  private static MillraceException corrupt(
      ListingPlan plan, ItemAddress address, String problem, @Nullable Throwable cause) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("listing", plan.identity());
    attributes.put("partition", address.partition());
    attributes.put("sort", address.sort());
    attributes.put("problem", problem);
    return new MillraceException("corrupt entry of a listing", attributes, cause);
  }
}
