package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items of schema versions 1 and 2, written out as their own clients write them. */
final class Old {
  static final String TABLE = "limits";
  static final BucketKey KEY = BucketKey.first("ns", "user-123", "gpt-4");
  static final long NOW_MS = 1_706_000_000_000L;

  private Old() {}

  /** Version 2: one item, with one limit of 100 a minute. */
  static Map<String, AttributeValue> composite(long tokens, long consumed) {
    Map<String, AttributeValue> item = address("#BUCKET#gpt-4");
    put(item, "rf", NOW_MS - 1_000);
    put(item, "ttl", 1_707_000_000);
    put(item, "b_rpm_tk", tokens);
    put(item, "b_rpm_cp", 100_000);
    put(item, "b_rpm_bx", 100_000);
    put(item, "b_rpm_ra", 100_000);
    put(item, "b_rpm_rp", 60_000);
    put(item, "b_rpm_tc", consumed);
    return item;
  }

  /** Version 1: an item for one limit of 100 a minute. */
  static Map<String, AttributeValue> perLimit(
      String limit, long tokens, long consumed, long refilledAtMs) {
    Map<String, AttributeValue> item = address("#BUCKET#gpt-4#" + limit);
    item.put("limit_name", AttributeValue.fromS(limit));
    put(item, "tokens_milli", tokens);
    put(item, "last_refill_ms", refilledAtMs);
    put(item, "capacity_milli", 100_000);
    put(item, "burst_milli", 100_000);
    put(item, "refill_amount_milli", 100_000);
    put(item, "refill_period_ms", 60_000);
    put(item, "total_consumed_milli", consumed);
    put(item, "ttl", 1_707_000_000);
    return item;
  }

  private static Map<String, AttributeValue> address(String sort) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("PK", AttributeValue.fromS("ns/ENTITY#user-123"));
    item.put("SK", AttributeValue.fromS(sort));
    item.put("entity_id", AttributeValue.fromS("user-123"));
    item.put("resource", AttributeValue.fromS("gpt-4"));
    return item;
  }

  static Map<String, AttributeValue> put(
      Map<String, AttributeValue> item, String attribute, long number) {
    item.put(attribute, AttributeValue.fromN(Long.toString(number)));
    return item;
  }

  static OldItems items() {
    return OldItems.of(KEY, List.of());
  }

  static OldItems items(Map<String, AttributeValue> item) {
    return OldItems.of(KEY, List.of(item));
  }

  static OldItems items(Map<String, AttributeValue> one, Map<String, AttributeValue> other) {
    return OldItems.of(KEY, List.of(one, other));
  }
}
