package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;
import java.time.Duration;
import java.util.function.Predicate;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * The strategies by which the SDK retries the requests of a call: one for writes, one for reads.
 */
public final class RetryStrategies {
  /** Most attempts of one call, the first included. */
  public static final int MAX_ATTEMPTS = 3;

  /** Longest wait before the second attempt; doubles with each, and each wait is random below. */
  private static final Duration BACKOFF = Duration.ofMillis(10);

  /** Longest wait before the second attempt when throttled. */
  private static final Duration THROTTLED_BACKOFF = Duration.ofMillis(50);

  /** Longest wait of all: a caller is waiting for an answer that takes milliseconds. */
  private static final Duration MAX_BACKOFF = Duration.ofMillis(200);

  /**
   * Of writes: resends only what surely had no effect. One for all clients: without a circuit
   * breaker it keeps no state.
   */
  public static final RetryStrategy WRITES = strategy(SdkErrors::isSurelyWithoutEffect);

  /**
   * A read has no effect, so it is sent again also when its answer was lost; but no more often. The
   * clients' own strategies go on until the time is over, so that a refused connection looks like a
   * late answer.
   */
  static final RetryStrategy READS = strategy(SdkErrors::isWorthReadingAgain);

  private RetryStrategies() {}

  private static RetryStrategy strategy(Predicate<Throwable> again) {
    return StandardRetryStrategy.builder()
        .maxAttempts(MAX_ATTEMPTS)
        .retryOnException(again)
        .treatAsThrottling(RetryStrategies::isThrottled)
        .backoffStrategy(BackoffStrategy.exponentialDelay(BACKOFF, MAX_BACKOFF))
        .throttlingBackoffStrategy(BackoffStrategy.exponentialDelay(THROTTLED_BACKOFF, MAX_BACKOFF))
        // The breaker would stop retrying one bucket because another one's partition is hot.
        .circuitBreakerEnabled(false)
        // Otherwise the client adds its own conditions, which resend.
        .useClientDefaults(false)
        .build();
  }

  private static boolean isThrottled(Throwable failure) {
    return (failure instanceof SdkServiceException answered && answered.isThrottlingException())
        || (failure instanceof TransactionCanceledException cancelled
            && SdkErrors.cancellation(cancelled) == StoreFailure.Kind.THROTTLED);
  }
}
