package dev.millrace.lambda;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.s3.S3Destinations;
import dev.millrace.s3.S3Location;
import java.net.URI;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The settings of the aggregator's function, from its environment.
 *
 * @param table {@code MILLRACE_TABLE}
 * @param deadLetters {@code MILLRACE_DEAD_LETTERS}: {@code sqs:} and a queue's URL, or {@code
 *     s3://bucket/prefix}
 * @param archive {@code MILLRACE_ARCHIVE}: {@code s3://bucket/prefix}, null for none
 * @param zones {@code MILLRACE_ZONES}: time zones, separated by commas; empty for UTC only
 * @param growth {@code MILLRACE_GROWTH}: {@code off} leaves hot buckets to the limiters
 * @param endpoint {@code MILLRACE_ENDPOINT}: another server than AWS's, null for AWS
 */
record FunctionSettings(
    String table,
    String deadLetters,
    @Nullable String archive,
    String zones,
    boolean growth,
    @Nullable URI endpoint) {
  private static final String SQS = "sqs:";

  /** Usage items written at the same time: as many connections as the JDK keeps to a host. */
  private static final int WRITERS = 5;

  static FunctionSettings fromEnvironment(Map<String, String> environment) {
    @Nullable String endpoint = environment.get("MILLRACE_ENDPOINT");
    return new FunctionSettings(
        required(environment, "MILLRACE_TABLE"),
        required(environment, "MILLRACE_DEAD_LETTERS"),
        environment.get("MILLRACE_ARCHIVE"),
        environment.getOrDefault("MILLRACE_ZONES", ""),
        isOn(environment, "MILLRACE_GROWTH", "on"),
        endpoint == null ? null : URI.create(endpoint));
  }

  private static boolean isOn(Map<String, String> environment, String name, String otherwise) {
    String value = environment.getOrDefault(name, otherwise);
    if (!value.equals("on") && !value.equals("off")) {
      throw new IllegalArgumentException(name + " '" + value + "' must be on or off");
    }
    return value.equals("on");
  }

  static String required(Map<String, String> environment, String name) {
    @Nullable String value = environment.get(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("the environment variable " + name + " is not set");
    }
    return value;
  }

  /** Clients of S3 and SQS are created by their first use: most functions have none. */
  Aggregator aggregator() {
    FunctionClients clients = new FunctionClients(endpoint);
    DynamoDbClient dynamo = clients.dynamo();
    Aggregator.Builder builder =
        Aggregator.builder(DynamoUsageStore.of(dynamo, table), letters(clients))
            .executor(writers());
    for (String zone : zones.split(",", -1)) {
      if (!zone.isBlank()) {
        builder.zone(ZoneId.of(zone.strip()));
      }
    }
    if (growth) {
      builder.growth(DynamoStore.of(dynamo, table));
    }
    if (archive != null) {
      S3Location location = S3Location.parse(archive);
      builder.archive(events -> S3Destinations.archive(clients.s3(), location).accept(events));
    }
    return builder.build();
  }

  /** Daemon threads: they end with the container, which is frozen between two batches. */
  private static Executor writers() {
    return Executors.newFixedThreadPool(
        WRITERS,
        task -> {
          Thread thread = new Thread(task, "millrace-usage");
          thread.setDaemon(true);
          return thread;
        });
  }

  private Consumer<List<DeadLetter>> letters(FunctionClients clients) {
    if (deadLetters.startsWith(SQS)) {
      String queue = deadLetters.substring(SQS.length());
      return letters -> new SqsDeadLetters(clients.sqs(), queue).accept(letters);
    }
    S3Location location = S3Location.parse(deadLetters);
    return letters -> S3Destinations.deadLetters(clients.s3(), location).accept(letters);
  }
}
