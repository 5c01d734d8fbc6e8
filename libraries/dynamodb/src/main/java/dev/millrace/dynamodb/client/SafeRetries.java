package dev.millrace.dynamodb.client;

import java.time.Duration;
import java.util.function.Predicate;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Retries that cannot charge twice. The SDK's own resend a request whose answer was lost; consuming
 * is not idempotent, so one lost answer would take the tokens twice. These resend only what surely
 * had no effect: what was throttled, turned away or never sent. A transaction that somebody else's
 * transaction was in the way of is turned away too.
 *
 * <p>The stores see to it that writes are retried so, whatever the client was built with. A client
 * built with {@link #configure} saves them saying so with each request.
 */
public final class SafeRetries {
  /** Most attempts of one call, the first included. */
  public static final int MAX_ATTEMPTS = 3;

  /** Longest wait before the second attempt; doubles with each, and each wait is random below. */
  static final Duration BACKOFF = Duration.ofMillis(10);

  /** Longest wait before the second attempt when throttled. */
  static final Duration THROTTLED_BACKOFF = Duration.ofMillis(50);

  /** Longest wait of all: a caller is waiting for an answer that takes milliseconds. */
  static final Duration MAX_BACKOFF = Duration.ofMillis(200);

  /** One for all clients: without a circuit breaker it keeps no state. */
  private static final RetryStrategy STRATEGY = strategy(SdkErrors::isSurelyWithoutEffect);

  /**
   * A read has no effect, so it is sent again also when its answer was lost; but no more often. The
   * clients' own strategies go on until the time is over, so that a refused connection looks like a
   * late answer.
   */
  static final RetryStrategy READS = strategy(SdkErrors::isWorthReadingAgain);

  private SafeRetries() {}

  private static RetryStrategy strategy(Predicate<Throwable> again) {
    return StandardRetryStrategy.builder()
        .maxAttempts(MAX_ATTEMPTS)
        .retryOnException(again)
        .treatAsThrottling(SafeRetries::isThrottled)
        .backoffStrategy(BackoffStrategy.exponentialDelay(BACKOFF, MAX_BACKOFF))
        .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(THROTTLED_BACKOFF, MAX_BACKOFF))
        // The breaker would stop retrying one bucket because another one's partition is hot.
        .circuitBreakerEnabled(false)
        // Otherwise the client adds its own conditions, which resend.
        .useClientDefaults(false)
        .build();
  }

  /** The strategy, for {@link ClientOverrideConfiguration.Builder#retryStrategy}. */
  public static RetryStrategy strategy() {
    return STRATEGY;
  }

  /**
   * Builds a client with safe retries: {@code
   * DynamoDbClient.builder().overrideConfiguration(SafeRetries::configure)}.
   */
  public static void configure(ClientOverrideConfiguration.Builder configuration) {
    configuration.retryStrategy(STRATEGY);
  }

  private static boolean isThrottled(Throwable failure) {
    return (failure instanceof SdkServiceException answered && answered.isThrottlingException())
        || (failure instanceof TransactionCanceledException cancelled
            && Cancellations.outcome(cancelled) == FailureClass.THROTTLED);
  }
}
