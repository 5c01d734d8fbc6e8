package dev.millrace.lambda;

import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the function for the exchange between regions, from its environment.
 *
 * @param table {@code MILLRACE_TABLE}
 * @param exchange {@code MILLRACE_EXCHANGE}: {@code s3://bucket/prefix}
 * @param namespace {@code MILLRACE_NAMESPACE_ID}: the id of the namespace, {@code default} if unset
 * @param windowMs {@code MILLRACE_WINDOW_SECONDS}: how often the function runs; 60 if unset
 * @param endpoint {@code MILLRACE_ENDPOINT}: another DynamoDB than AWS's, null for AWS
 * @param s3Endpoint {@code MILLRACE_S3_ENDPOINT}: another S3 than AWS's, null for AWS
 */
record RegionsSettings(
    String table,
    S3Location exchange,
    String namespace,
    long windowMs,
    @Nullable URI endpoint,
    @Nullable URI s3Endpoint) {
  /** The shortest period of a schedule. */
  private static final String WINDOW_SECONDS = "60";

  static RegionsSettings fromEnvironment(Map<String, String> environment) {
    return new RegionsSettings(
        FunctionSettings.required(environment, "MILLRACE_TABLE"),
        S3Location.parse(FunctionSettings.required(environment, "MILLRACE_EXCHANGE")),
        environment.getOrDefault("MILLRACE_NAMESPACE_ID", "default"),
        windowMs(environment.getOrDefault("MILLRACE_WINDOW_SECONDS", WINDOW_SECONDS)),
        uri(environment.get("MILLRACE_ENDPOINT")),
        uri(environment.get("MILLRACE_S3_ENDPOINT")));
  }

  private static long windowMs(String seconds) {
    try {
      return Math.multiplyExact(Long.parseLong(seconds), 1_000L);
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "MILLRACE_WINDOW_SECONDS '" + seconds + "' must be a whole number", e);
    }
  }

  private static @Nullable URI uri(@Nullable String text) {
    return text == null ? null : URI.create(text);
  }

  AllocationPolicy policy() {
    AllocationPolicy defaults = AllocationPolicy.DEFAULT;
    return new AllocationPolicy(
        windowMs,
        defaults.staleAfterMs(),
        defaults.floorPpm(),
        defaults.offPpm(),
        defaults.leastGiftPpm());
  }

  RegionExchange open() {
    return S3Regions.open(
        DynamoStore.of(new FunctionClients(endpoint).dynamo(), table),
        namespace,
        new FunctionClients(s3Endpoint).s3(),
        exchange,
        policy(),
        SyncListener.NONE,
        ActiveView.NONE);
  }
}
