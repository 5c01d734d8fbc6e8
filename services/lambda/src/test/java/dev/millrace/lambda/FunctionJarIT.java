package dev.millrace.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.api.client.AWSLambda;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.embedded.SharedEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The jar as it is uploaded, in a process of its own, run by AWS's runtime client: one invocation
 * after the other, with the bytes that Lambda sends. Prints the size of the jar and how long a cold
 * start takes.
 */
class FunctionJarIT {
  private static final Path JAR = Path.of("target", "millrace-lambda-function.jar");
  private static final long MAX_BYTES = 25_000_000;
  private static final long TIMEOUT_SECONDS = 120;
  private static final String TABLE = "lambda-" + ProcessHandle.current().pid();

  /** The classes of Lambda's own image; all others must be in the jar. */
  private static final Pattern RUNTIME =
      Pattern.compile(".*aws-lambda-java-(runtime-interface-client|serialization|core)-.*\\.jar");

  @TempDir private Path directory;

  @Test
  void jar_runByTheRuntime_countsAndAnswers() throws Exception {
    DynamoDbClient client = client();
    TableAdmin.of(client, TABLE).createIfMissing();
    String plain = Files.readString(Path.of("src/test/resources/plain-event.json"));
    String event = Files.readString(Path.of("src/test/resources/stream-event.json"));
    long start = System.nanoTime();
    Process process;
    try (RuntimeApi api = new RuntimeApi()) {
      process =
          start(
              api,
              AggregatorHandler.class,
              Map.of("MILLRACE_DEAD_LETTERS", "s3://nowhere/letters"));
      try {
        String first = api.invoke(plain, TIMEOUT_SECONDS);
        long coldMs = (System.nanoTime() - start) / 1_000_000;
        long again = System.nanoTime();
        String second = api.invoke(plain, TIMEOUT_SECONDS);
        long warmMs = (System.nanoTime() - again) / 1_000_000;
        report("aggregator", coldMs, warmMs);
        assertThat(first).as(this::errors).isEqualTo("{\"batchItemFailures\":[]}");
        assertThat(second).isEqualTo(first);
        // the record that is not understood has nowhere to go
        assertThat(api.invoke(event, TIMEOUT_SECONDS))
            .isEqualTo("{\"batchItemFailures\":[{\"itemIdentifier\":\"100000000000000000004\"}]}");
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
    assertThat(usageMilli(client, "key-1")).isEqualTo(Map.of("rpm", 2_000L, "tpm", 420_000L));
    assertThat(usageMilli(client, "key-0")).isEqualTo(Map.of("rpm", 3_000L));
    assertThat(Files.size(JAR)).isLessThan(MAX_BYTES);
    client.close();
  }

  @Test
  void jar_onASchedule_takesPartInTheExchange() throws Exception {
    DynamoDbClient client = client();
    TableAdmin.of(client, TABLE).createIfMissing();
    SharedLimit.declare(DynamoStore.of(client, TABLE));
    String event = "{\"source\":\"aws.events\",\"detail-type\":\"Scheduled Event\",\"detail\":{}}";
    try (EmbeddedS3 s3 = EmbeddedS3.start();
        RuntimeApi api = new RuntimeApi()) {
      Map<String, String> settings =
          Map.of(
              "MILLRACE_EXCHANGE",
              "s3://sync/prod",
              "MILLRACE_S3_ENDPOINT",
              s3.endpoint().toString());
      URI bucket = s3.endpoint().resolve("/sync");
      HttpRequest put =
          HttpRequest.newBuilder(bucket).PUT(HttpRequest.BodyPublishers.noBody()).build();
      HttpClient.newHttpClient().send(put, HttpResponse.BodyHandlers.discarding());
      long start = System.nanoTime();
      Process process = start(api, RegionsHandler.class, settings);
      try {
        String first = api.invoke(event, TIMEOUT_SECONDS);
        long coldMs = (System.nanoTime() - start) / 1_000_000;
        long again = System.nanoTime();
        String second = api.invoke(event, TIMEOUT_SECONDS);
        report("regions", coldMs, (System.nanoTime() - again) / 1_000_000);
        assertThat(first).as(this::errors).contains("\"region\":\"eu\"", "\"evicted\":false");
        assertThat(second).contains("\"overAdmissionBoundPpm\":0").doesNotContain("skipped");
      } finally {
        process.destroyForcibly().waitFor();
      }
      HttpRequest get =
          HttpRequest.newBuilder(URI.create(bucket + "/prod/eu/snapshot.json")).build();
      assertThat(
              HttpClient.newHttpClient()
                  .send(get, HttpResponse.BodyHandlers.discarding())
                  .statusCode())
          .isEqualTo(200);
    }
    client.close();
  }

  @SuppressWarnings("SystemOut") // the figures are what it is run for
  private static void report(String function, long coldMs, long warmMs) throws IOException {
    System.out.printf(
        "Lambda jar: %.1f MB; %s: cold start to the first answer %d ms, second invocation %d ms%n",
        Files.size(JAR) / 1e6, function, coldMs, warmMs);
  }

  private Process start(RuntimeApi api, Class<?> handler, Map<String, String> settings)
      throws IOException {
    String classpath =
        Stream.concat(
                Stream.of(JAR.toString()),
                Stream.of(System.getProperty("java.class.path", "").split(":", -1))
                    .filter(entry -> RUNTIME.matcher(entry).matches()))
            .collect(Collectors.joining(":"));
    // as Lambda starts a JVM
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xmx400m",
            "-cp",
            classpath,
            AWSLambda.class.getName(),
            handler.getName() + "::handleRequest");
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("out").toFile());
    Map<String, String> environment = builder.environment();
    environment.put("AWS_LAMBDA_RUNTIME_API", api.address());
    environment.put("_HANDLER", handler.getName() + "::handleRequest");
    environment.put("LAMBDA_TASK_ROOT", directory.toString());
    environment.put("AWS_LAMBDA_FUNCTION_NAME", "f");
    environment.put("AWS_LAMBDA_FUNCTION_VERSION", "1");
    environment.put("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512");
    environment.put("AWS_REGION", "us-east-1");
    environment.put("AWS_ACCESS_KEY_ID", "millrace");
    environment.put("AWS_SECRET_ACCESS_KEY", "millrace");
    environment.put("MILLRACE_ENDPOINT", SharedEngine.endpoint().toString());
    environment.put("MILLRACE_TABLE", TABLE);
    environment.putAll(settings);
    return builder.start();
  }

  private String errors() {
    try {
      return Files.readString(directory.resolve("out"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Map<String, Long> usageMilli(DynamoDbClient client, String entity) {
    UsageKey key = UsageKey.at("default", entity, "gpt-4", Window.DAY, 1_794_776_400_250L);
    return DynamoUsageStore.of(client, TABLE).find(List.of(key)).get(0).totalMilli();
  }

  private static DynamoDbClient client() {
    URI endpoint = SharedEngine.endpoint();
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "millrace")))
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }
}
