package dev.millrace.tests.migration;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.tests.support.Dynamo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** A table as the clients of schema versions 1 and 2 left it. */
final class OldTable {
  static final String RESOURCE = "gpt-4";
  private static final int BATCH = 25;

  final DynamoDbClient client;
  final String name;
  private final List<WriteRequest> waiting = new ArrayList<>();

  private OldTable(DynamoDbClient client) {
    this.client = client;
    this.name = Dynamo.newTable(client);
    Map<String, AttributeValue> version = new HashMap<>(address("_/SYSTEM#", "#VERSION"));
    version.put("schema_version", text("0.8.0"));
    client.putItem(r -> r.tableName(name).item(version));
  }

  static OldTable create(DynamoDbClient client) {
    return new OldTable(client);
  }

  static BucketKey key(String entity) {
    return BucketKey.first("default", entity, RESOURCE);
  }

  /** Version 2: one item for all limits, with one refill timestamp. */
  static Map<String, AttributeValue> composite(
      String entity, long refilledAtMs, List<LimitState> limits) {
    Map<String, AttributeValue> item = item(entity, "#BUCKET#" + RESOURCE);
    item.put("rf", number(refilledAtMs));
    for (LimitState state : limits) {
      String prefix = "b_" + state.name() + "_";
      Limit limit = state.limit();
      item.put(prefix + "tk", number(state.tokensMilli()));
      item.put(prefix + "cp", number(limit.capacityMilli()));
      item.put(prefix + "bx", number(limit.burstMilli()));
      item.put(prefix + "ra", number(limit.refill().amountMilli()));
      item.put(prefix + "rp", number(limit.refill().periodMs()));
      item.put(prefix + "tc", number(state.consumedMilli()));
    }
    item.put("GSI2PK", text("default/RESOURCE#" + RESOURCE));
    item.put("GSI2SK", text("BUCKET#" + entity));
    return item;
  }

  /** Version 1: an item for each limit, with its own refill timestamp. */
  static Map<String, AttributeValue> perLimit(String entity, long refilledAtMs, LimitState state) {
    Map<String, AttributeValue> item = item(entity, "#BUCKET#" + RESOURCE + "#" + state.name());
    Limit limit = state.limit();
    item.put("limit_name", text(state.name()));
    item.put("tokens_milli", number(state.tokensMilli()));
    item.put("last_refill_ms", number(refilledAtMs));
    item.put("capacity_milli", number(limit.capacityMilli()));
    item.put("burst_milli", number(limit.burstMilli()));
    item.put("refill_amount_milli", number(limit.refill().amountMilli()));
    item.put("refill_period_ms", number(limit.refill().periodMs()));
    item.put("total_consumed_milli", number(state.consumedMilli()));
    item.put("GSI2PK", text("default/RESOURCE#" + RESOURCE));
    item.put("GSI2SK", text("BUCKET#" + entity + "#" + state.name()));
    return item;
  }

  private static Map<String, AttributeValue> item(String entity, String sort) {
    Map<String, AttributeValue> item = new HashMap<>(address("default/ENTITY#" + entity, sort));
    item.put("entity_id", text(entity));
    item.put("resource", text(RESOURCE));
    item.put("ttl", number(4_000_000_000L));
    return item;
  }

  static Map<String, AttributeValue> address(String partition, String sort) {
    return Map.of("PK", text(partition), "SK", text(sort));
  }

  static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }

  static AttributeValue number(long number) {
    return AttributeValue.fromN(Long.toString(number));
  }

  /** Puts an item, with others in one request; {@link #flush} sends the last ones. */
  void put(Map<String, AttributeValue> item) {
    waiting.add(WriteRequest.builder().putRequest(p -> p.item(item)).build());
    if (waiting.size() == BATCH) {
      flush();
    }
  }

  void flush() {
    if (!waiting.isEmpty()) {
      List<WriteRequest> batch = List.copyOf(waiting);
      client.batchWriteItem(r -> r.requestItems(Map.of(name, batch)));
      waiting.clear();
    }
  }

  /** Today's bucket of an entity, null when there is none. */
  @Nullable BucketState today(String entity) {
    var found = client.getItem(r -> r.tableName(name).key(BucketCodec.key(key(entity))));
    return found.hasItem() ? BucketCodec.decode(found.item()) : null;
  }

  /** An old item of an entity, empty when there is none. */
  Map<String, AttributeValue> old(String entity, String sort) {
    return client
        .getItem(r -> r.tableName(name).key(address("default/ENTITY#" + entity, sort)))
        .item();
  }

  Map<String, AttributeValue> version() {
    return client.getItem(r -> r.tableName(name).key(address("_/SYSTEM#", "#VERSION"))).item();
  }

  /** How many items of old buckets there are, fenced or not. */
  long oldItems() {
    return count("#BUCKET#");
  }

  /** How many items there are whose sort key begins with {@code prefix}. */
  long count(String prefix) {
    long count = 0;
    Map<String, AttributeValue> at = Map.of();
    do { // ends: every page moves the cursor
      Map<String, AttributeValue> after = at;
      ScanResponse page =
          client.scan(
              r ->
                  r.tableName(name)
                      .filterExpression("begins_with(SK, :p)")
                      .expressionAttributeValues(Map.of(":p", text(prefix)))
                      .exclusiveStartKey(after.isEmpty() ? null : after));
      count += page.count();
      at = page.lastEvaluatedKey();
    } while (!at.isEmpty());
    return count;
  }
}
