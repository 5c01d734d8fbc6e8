package dev.millrace.llm.testing;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.llm.CostEstimator;
import dev.millrace.llm.LimitCharge;
import dev.millrace.llm.LimitShape;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.ModelTokenCounter;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A meter on a table of DynamoDB Local, with limits that refuse nothing, and the table's books. */
public final class MeterOnDynamo implements AutoCloseable {
  /** Requests, all tokens, input that was not cached, and output: every part for itself. */
  public static final LimitShape SHAPE =
      LimitShape.of(
          LimitCharge.requests("rpm"),
          LimitCharge.tokens("tpm"),
          LimitCharge.input("itpm").withCachedMilli(0),
          LimitCharge.output("otpm"));

  /** Far above what tests use. */
  private static final long PLENTY = 1_000_000;

  /** Output tokens charged ahead when a stream exceeds what was reserved. */
  public static final long EXTENSION_TOKENS = 16;

  private final DynamoDbClient dynamo;
  private final RateLimiter limiter;
  private final LlmMeter meter;
  private final Books books;

  private MeterOnDynamo(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    TableAdmin.of(dynamo, table).createIfMissing();
    BlockingStore store = DynamoStore.of(dynamo, table);
    this.limiter =
        RateLimiter.create(store, LimiterOptions.builder().timeout(Duration.ofSeconds(60)).build());
    this.meter =
        LlmMeter.builder(limiter, SHAPE).limits(limits()).extensionTokens(EXTENSION_TOKENS).build();
    this.books = new Books(store, SHAPE);
  }

  /** A new meter on {@code table}, on the one engine of a test run. */
  public static MeterOnDynamo start(String table) {
    return new MeterOnDynamo(
        DynamoDbClient.builder()
            .endpointOverride(SharedEngine.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("millrace", "x")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .overrideConfiguration(SafeRetries::configure)
            .build(),
        table);
  }

  /** A limit for each charge of {@link #SHAPE}, far above what tests use. */
  public static LimitSet limits() {
    return LimitSet.of(
        SHAPE.charges().stream().map(charge -> Limit.perMinute(charge.limit(), PLENTY)).toList());
  }

  /** The meter. */
  public LlmMeter meter() {
    return meter;
  }

  /** One that expects so many output tokens of every answer, to be closed by who asks for it. */
  public LlmMeter expecting(long outputTokens) {
    return LlmMeter.builder(limiter, SHAPE)
        .limits(limits())
        .extensionTokens(EXTENSION_TOKENS)
        .estimator(CostEstimator.maxTokens(new ModelTokenCounter(), outputTokens))
        .build();
  }

  /** What the table counts. */
  public Books books() {
    return books;
  }

  @Override
  public void close() {
    meter.close();
    limiter.close();
    dynamo.close();
  }
}
