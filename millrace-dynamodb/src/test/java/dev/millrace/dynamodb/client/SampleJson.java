package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.item.BucketCodec;
import java.util.stream.Collectors;

/** Answers as DynamoDB words them. */
final class SampleJson {
  private SampleJson() {}

  /** The answer to an update. */
  static String updated() {
    return "{\"Attributes\":" + item(Buckets.state("rpm")) + "}";
  }

  static String item(BucketState state) {
    return BucketCodec.encode(state).entrySet().stream()
        .map(
            e ->
                "\"%s\":{\"%s\":\"%s\"}"
                    .formatted(
                        e.getKey(),
                        e.getValue().s() == null ? "N" : "S",
                        e.getValue().s() == null ? e.getValue().n() : e.getValue().s()))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
