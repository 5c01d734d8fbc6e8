package dev.millrace.dynamodb.client;

import dev.millrace.dynamodb.internal.call.RetryStrategies;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.retries.api.RetryStrategy;

/**
 * Retries that cannot charge twice. The SDK's own resend a request whose answer was lost; consuming
 * is not idempotent, so one lost answer would take the tokens twice. These resend only what surely
 * had no effect: what was throttled, turned away or never sent. A transaction that conflicted with
 * another one is turned away too.
 *
 * <p>The stores see to it that writes are retried so, whatever the client was built with. A client
 * built with {@link #configure} saves them saying so with each request.
 */
public final class SafeRetries {
  /** Most attempts of one call, the first included. */
  public static final int MAX_ATTEMPTS = RetryStrategies.MAX_ATTEMPTS;

  private SafeRetries() {}

  /** The strategy, for {@link ClientOverrideConfiguration.Builder#retryStrategy}. */
  public static RetryStrategy strategy() {
    return RetryStrategies.WRITES;
  }

  /**
   * Builds a client with safe retries: {@code
   * DynamoDbClient.builder().overrideConfiguration(SafeRetries::configure)}.
   */
  public static void configure(ClientOverrideConfiguration.Builder configuration) {
    configuration.retryStrategy(RetryStrategies.WRITES);
  }
}
