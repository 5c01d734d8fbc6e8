package dev.millrace.dynamodb.internal.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.retries.api.RetryStrategy;

/** The options of each request to one table: its time limit, and retries that are safe and few. */
public final class CallOptions {
  private static final SdkPlugin WRITES = plugin(RetryStrategies.WRITES);
  private static final SdkPlugin READS = plugin(RetryStrategies.READS);

  private final String table;
  private final boolean needsPlugin;

  /** The last ones made: callers seldom change their time limit. */
  private volatile @Nullable Made lastWrite;

  private volatile @Nullable Made lastRead;

  private record Made(long timeoutMs, AwsRequestOverrideConfiguration options) {}

  /** The options of requests to {@code table} through a client. */
  public CallOptions(String table, SdkServiceClientConfiguration client) {
    if (table.isEmpty()) {
      throw new IllegalArgumentException("table is empty");
    }
    this.table = table;
    this.needsPlugin =
        client.overrideConfiguration().retryStrategy().orElse(null) != RetryStrategies.WRITES;
  }

  /** Lets one request of any client be retried by {@code strategy}. */
  private static SdkPlugin plugin(RetryStrategy strategy) {
    return client ->
        client.overrideConfiguration(
            client.overrideConfiguration().toBuilder().retryStrategy(strategy).build());
  }

  String table() {
    return table;
  }

  /** A write is sent again only when it surely had no effect. */
  public AwsRequestOverrideConfiguration ofWrite(long timeoutMs) {
    Made last = lastWrite;
    if (last == null || last.timeoutMs != timeoutMs) {
      last = new Made(timeoutMs, make(timeoutMs, WRITES));
      lastWrite = last;
    }
    return last.options;
  }

  /** A read may be sent again also when its answer was lost. */
  public AwsRequestOverrideConfiguration ofRead(long timeoutMs) {
    Made last = lastRead;
    if (last == null || last.timeoutMs != timeoutMs) {
      last = new Made(timeoutMs, make(timeoutMs, READS));
      lastRead = last;
    }
    return last.options;
  }

  private AwsRequestOverrideConfiguration make(long timeoutMs, SdkPlugin plugin) {
    if (timeoutMs < 1) {
      throw new IllegalArgumentException("timeoutMs " + timeoutMs + " must be positive");
    }
    AwsRequestOverrideConfiguration.Builder options =
        AwsRequestOverrideConfiguration.builder().apiCallTimeout(Duration.ofMillis(timeoutMs));
    return needsPlugin ? options.addPlugin(plugin).build() : options.build();
  }
}
