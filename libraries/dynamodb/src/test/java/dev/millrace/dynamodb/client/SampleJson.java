package dev.millrace.dynamodb.client;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Answers as DynamoDB words them. */
final class SampleJson {
  private SampleJson() {}

  /** The answer to an update. */
  static String updated() {
    return "{\"Attributes\":" + item(Buckets.state("rpm")) + "}";
  }

  static String item(BucketState state) {
    return item(BucketCodec.encode(state));
  }

  static String item(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .map(e -> "\"" + e.getKey() + "\":" + value(e.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  static String items(Collection<Map<String, AttributeValue>> items) {
    return items.stream().map(SampleJson::item).collect(Collectors.joining(",", "[", "]"));
  }

  /** The answer to a batch of reads. */
  static String batch(
      Collection<Map<String, AttributeValue>> items,
      Collection<Map<String, AttributeValue>> unprocessedKeys) {
    String unprocessed =
        unprocessedKeys.isEmpty()
            ? "{}"
            : "{\"limits\":{\"ConsistentRead\":true,\"Keys\":" + items(unprocessedKeys) + "}}";
    return "{\"Responses\":{\"limits\":%s},\"UnprocessedKeys\":%s,\"ConsumedCapacity\":[{\"TableName\":\"limits\",\"CapacityUnits\":%d.0}]}"
        .formatted(items(items), unprocessed, items.size());
  }

  /** The answer to a batch of deletions. */
  static String erased(int erased, Collection<Map<String, AttributeValue>> unprocessedKeys) {
    String unprocessed =
        unprocessedKeys.isEmpty()
            ? "{}"
            : unprocessedKeys.stream()
                .map(key -> "{\"DeleteRequest\":{\"Key\":" + item(key) + "}}")
                .collect(Collectors.joining(",", "{\"limits\":[", "]}"));
    return "{\"UnprocessedItems\":%s,\"ConsumedCapacity\":[{\"TableName\":\"limits\",\"CapacityUnits\":%d.0}]}"
        .formatted(unprocessed, erased);
  }

  private static String value(AttributeValue value) {
    return switch (value.type()) {
      case S -> "{\"S\":\"" + value.s() + "\"}";
      case N -> "{\"N\":\"" + value.n() + "\"}";
      case BOOL -> "{\"BOOL\":" + value.bool() + "}";
      case L -> "{\"L\":" + list(value.l()) + "}";
      case M -> "{\"M\":" + item(value.m()) + "}";
      default -> throw new IllegalArgumentException(value.toString());
    };
  }

  private static String list(List<AttributeValue> values) {
    return values.stream().map(SampleJson::value).collect(Collectors.joining(",", "[", "]"));
  }
}
