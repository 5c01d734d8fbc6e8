package dev.millrace.dynamodb.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;

/** What goes with each request: its time limit, and retries that are safe and few. */
final class CallOptions {
  private static final SdkPlugin WRITES = SafeRetries.plugin();
  private static final SdkPlugin READS = SafeRetries.readsPlugin();

  private final boolean needsPlugin;

  /** The last ones made: callers hardly ever change their time limit. */
  private volatile @Nullable Made lastWrite;

  private volatile @Nullable Made lastRead;

  private record Made(long timeoutMs, AwsRequestOverrideConfiguration options) {}

  CallOptions(SdkServiceClientConfiguration client) {
    this.needsPlugin = !SafeRetries.isSafe(client);
  }

  AwsRequestOverrideConfiguration ofWrite(long timeoutMs) {
    Made last = lastWrite;
    if (last == null || last.timeoutMs != timeoutMs) {
      last = new Made(timeoutMs, make(timeoutMs, WRITES));
      lastWrite = last;
    }
    return last.options;
  }

  /** A read may be sent again also when its answer was lost. */
  AwsRequestOverrideConfiguration ofRead(long timeoutMs) {
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
