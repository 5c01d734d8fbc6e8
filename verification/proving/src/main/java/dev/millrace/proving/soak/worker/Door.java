package dev.millrace.proving.soak.worker;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A limiter for callers that wait, whose methods are those that block, or with {@code async} the
 * others.
 */
record Door(RateLimiter limiter, boolean async) {
  /** Longest time that anything asynchronous may take: many times the limiter's own limit. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A lease, or null when refused. */
  @Nullable Lease ask(AcquireRequest request, Duration maxWait) throws InterruptedException {
    Acquisition answer = async ? askAsync(request, maxWait) : askBlocking(request, maxWait);
    if (answer instanceof Acquisition.Disabled) {
      throw new IllegalStateException("nothing is disabled: " + answer);
    }
    return answer instanceof Acquisition.Granted granted ? granted.lease() : null;
  }

  private Acquisition askBlocking(AcquireRequest request, Duration maxWait)
      throws InterruptedException {
    return maxWait.isZero() ? limiter.tryAcquire(request) : limiter.tryAcquire(request, maxWait);
  }

  private Acquisition askAsync(AcquireRequest request, Duration maxWait)
      throws InterruptedException {
    return await(
        maxWait.isZero()
            ? limiter.tryAcquireAsync(request)
            : limiter.tryAcquireAsync(request, maxWait));
  }

  void consume(Lease lease, Map<String, Long> tokens) throws InterruptedException {
    if (async) {
      await(lease.consumeAsync(tokens));
    } else {
      lease.consume(tokens);
    }
  }

  void close(Lease lease) throws InterruptedException {
    if (async) {
      await(lease.closeAsync());
    } else {
      lease.close();
    }
  }

  void cancel(Lease lease) throws InterruptedException {
    if (async) {
      await(lease.cancelAsync());
    } else {
      lease.cancel();
    }
  }

  /** What a stage ends with; what it fails with is thrown as the blocking limiter would. */
  private static <T> T await(CompletionStage<T> stage) throws InterruptedException {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException("a stage failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("a stage did not end within " + PATIENCE, e);
    }
  }
}
