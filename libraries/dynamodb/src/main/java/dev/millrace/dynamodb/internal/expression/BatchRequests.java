package dev.millrace.dynamodb.internal.expression;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Many items in one request. */
public final class BatchRequests {
  private BatchRequests() {}

  /**
   * Reads items.
   *
   * @param call what the addresses are called in messages
   */
  public static BatchGetItemRequest.Builder read(
      String table, String call, Collection<ItemAddress> addresses, boolean consistent) {
    require(call, addresses, StoreCall.Lookup.MAX_KEYS);
    return readAgain(
        Map.of(
            table,
            KeysAndAttributes.builder()
                .keys(addresses.stream().map(a -> Attributes.key(a.partition(), a.sort())).toList())
                .consistentRead(consistent)
                .build()));
  }

  public static BatchGetItemRequest.Builder readAgain(Map<String, KeysAndAttributes> unprocessed) {
    return BatchGetItemRequest.builder()
        .requestItems(unprocessed)
        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
  }

  public static BatchWriteItemRequest.Builder erase(String table, StoreCall.Erase call) {
    List<ItemAddress> addresses = new ArrayList<>();
    for (BucketKey bucket : call.buckets()) {
      addresses.add(Attributes.address(BucketCodec.key(bucket)));
    }
    addresses.addAll(call.items());
    require("Erase", addresses, StoreCall.Erase.MAX_ITEMS);
    return eraseAgain(
        Map.of(
            table,
            addresses.stream()
                .map(a -> Attributes.key(a.partition(), a.sort()))
                .map(key -> WriteRequest.builder().deleteRequest(d -> d.key(key)).build())
                .toList()));
  }

  public static BatchWriteItemRequest.Builder eraseAgain(
      Map<String, List<WriteRequest>> unprocessed) {
    return BatchWriteItemRequest.builder()
        .requestItems(unprocessed)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  private static void require(String call, Collection<ItemAddress> addresses, int max) {
    if (addresses.isEmpty() || addresses.size() > max) {
      throw new IllegalArgumentException(
          call + " of " + addresses.size() + " keys must have from 1 to " + max);
    }
    Set<ItemAddress> named = new HashSet<>();
    for (ItemAddress address : addresses) {
      if (!named.add(address)) {
        throw new IllegalArgumentException(call + " names " + address + " twice");
      }
    }
  }
}
