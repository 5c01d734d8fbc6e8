package dev.millrace.cli.services.exact;

import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.UsageCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a table says was consumed, and what it says usage is.
 *
 * @param consumed by entity and limit, all shards together, in millitokens
 * @param usage the same, by window
 */
record Ledger(Map<String, Long> consumed, Map<String, Map<String, Long>> usage) {
  private static final List<String> WINDOWS = List.of("hour", "day", "month");
  private static final Pattern TOTAL = Pattern.compile("b_(.+)_tc");
  private static final String WRITE_UNITS = "wcu";

  /** Reads everything, without the code that plans and counts. */
  static Ledger read(DynamoDbClient client, String table) {
    Map<String, Long> consumed = new TreeMap<>();
    Map<String, Map<String, Long>> usage = new TreeMap<>();
    WINDOWS.forEach(window -> usage.put(window, new TreeMap<>()));
    for (Map<String, AttributeValue> item :
        client.scanPaginator(s -> s.tableName(table).consistentRead(true)).items()) {
      if (item.get("PK").s().contains("/BUCKET#")) {
        addBucket(consumed, item);
      } else if (item.get("SK").s().startsWith("#USAGE#")) {
        addUsage(usage, item);
      }
    }
    return new Ledger(consumed, usage);
  }

  private static void addBucket(Map<String, Long> consumed, Map<String, AttributeValue> item) {
    String entity = BucketCodec.parsePartition(item.get("PK").s()).entityId();
    item.forEach(
        (name, value) -> {
          Matcher total = TOTAL.matcher(name);
          if (total.matches() && !total.group(1).equals(WRITE_UNITS)) {
            consumed.merge(entity + " " + total.group(1), Long.parseLong(value.n()), Long::sum);
          }
        });
  }

  private static void addUsage(
      Map<String, Map<String, Long>> usage, Map<String, AttributeValue> item) {
    var decoded = UsageCodec.decode(item);
    Map<String, Long> sums =
        usage.computeIfAbsent(decoded.key().window().toString(), w -> new TreeMap<>());
    decoded
        .totalMilli()
        .forEach(
            (limit, milli) -> sums.merge(decoded.key().entityId() + " " + limit, milli, Long::sum));
  }

  /** Where usage is not what was consumed, in words; empty when it is, to the millitoken. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    usage.forEach(
        (window, sums) -> {
          Map<String, Long> names = new TreeMap<>(consumed);
          names.putAll(sums);
          names.forEach(
              (name, any) -> {
                long was = consumed.getOrDefault(name, 0L);
                long is = sums.getOrDefault(name, 0L);
                if (was != is) {
                  differences.add(
                      "%s of %s: consumed %d, usage %d (%+d)"
                          .formatted(window, name, was, is, is - was));
                }
              });
        });
    return differences;
  }

  long totalMilli(String limit) {
    return consumed.entrySet().stream()
        .filter(e -> e.getKey().endsWith(" " + limit))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
