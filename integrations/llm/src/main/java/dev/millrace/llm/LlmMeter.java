package dev.millrace.llm;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterDisabledException;
import dev.millrace.MillraceException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.Rejection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A meter of model calls: it estimates the usage of a call, reserves that, and returns a {@link
 * MeteredCall} that settles the real usage. The integrations with libraries are built on it, and an
 * application that calls a model by itself can use it directly.
 *
 * <p>No call is refused for its estimate alone. An estimate beyond the ceiling of a limit is
 * reduced to the ceiling, and the remainder is settled afterwards; so a first call is always
 * admitted.
 */
public final class LlmMeter implements AutoCloseable {
  /** Output tokens charged ahead when a stream exceeds its reservation. */
  public static final long DEFAULT_EXTENSION_TOKENS = 256;

  /** The time after which a call without an end is settled with what is known of it. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofMinutes(10);

  /** Most reductions of one request; more than one only when limits shrink meanwhile. */
  private static final int MAX_CUTS = 4;

  /** Most calls with a timer; further ones keep their reservation if they are abandoned. */
  private static final int MAX_TIMED_CALLS = 100_000;

  final LimitShape shape;
  final CostEstimator estimator;
  final TokenCounter counter;
  final OnTimeout onTimeout;
  final long extensionTokens;
  private final RateLimiter limiter;
  private final @Nullable LimitSet limits;
  private final Duration maxWait;
  private final Duration callTimeout;

  /**
   * Ends abandoned calls. A stream whose reader was lost would keep its reservation for ever; that
   * does not harm the limit, but the tenant.
   */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "millrace-llm-watch");
            thread.setDaemon(true);
            return thread;
          });

  private LlmMeter(Builder builder) {
    this.limiter = builder.limiter;
    this.shape = builder.shape;
    this.limits = builder.limits;
    this.counter = builder.counter;
    this.estimator =
        builder.estimator == null ? CostEstimator.learning(counter) : builder.estimator;
    this.maxWait = builder.maxWait;
    this.callTimeout = builder.callTimeout;
    this.onTimeout = builder.onTimeout;
    this.extensionTokens = builder.extensionTokens;
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** A meter on {@code limiter} that charges stored limits by {@code shape}. */
  public static Builder builder(RateLimiter limiter, LimitShape shape) {
    return new Builder(limiter, shape);
  }

  /** A meter whose limits come with each call, the same for all entities. */
  public static Builder builder(RateLimiter limiter, ProviderPreset preset) {
    return builder(limiter, preset.shape()).limits(preset.limits());
  }

  /**
   * Reserves the expected usage of {@code call}.
   *
   * @throws RateLimitExceededException if it does not fit, nor would within the longest wait
   * @throws dev.millrace.LimiterDisabledException if the entity or resource is disabled
   * @throws dev.millrace.LimiterUnavailableException if the store cannot be reached and the policy
   *     is BLOCK
   */
  public MeteredCall begin(LlmCall call) {
    return ProviderFailures.join(begin(call, /* async= */ false));
  }

  /** {@link #begin} without waiting, unless the limiter's store only blocks. */
  public CompletionStage<MeteredCall> beginAsync(LlmCall call) {
    CompletableFuture<MeteredCall> begun = new CompletableFuture<>();
    var unused =
        begin(call, limiter.isAsync())
            .whenComplete((metered, failure) -> ProviderFailures.complete(begun, metered, failure));
    return begun;
  }

  private CompletionStage<MeteredCall> begin(LlmCall call, boolean async) {
    LlmUsage estimate = estimator.estimate(call);
    return ask(call, estimate, shape.amounts(estimate), async, MAX_CUTS);
  }

  /**
   * Makes a call: reserves, calls, and settles. When the call fails, the unused part is refunded
   * and the failure is rethrown. A failure to settle is logged: the answer exists.
   *
   * @param ask makes the call
   * @param endOf the usage according to the answer
   */
  public <T> T call(LlmCall call, Supplier<T> ask, Function<T, CallEnd> endOf) {
    MeteredCall metered = begin(call);
    T answer;
    try {
      answer = ask.get();
    } catch (Throwable failure) {
      metered.endQuietly(() -> metered.endOf(failure));
      throw failure;
    }
    metered.endQuietly(() -> endOf.apply(answer));
    return answer;
  }

  /**
   * {@link #call} without waiting, unless the limiter's store only blocks. Cancelling the result
   * cancels the call, and charges the input.
   */
  public <T> CompletableFuture<T> callAsync(
      LlmCall call, Supplier<CompletableFuture<T>> ask, Function<T, CallEnd> endOf) {
    CompletableFuture<T> result = new CompletableFuture<>();
    var unused =
        beginAsync(call)
            .whenComplete(
                (metered, failure) -> {
                  if (failure == null) {
                    answer(metered, ask, endOf, result);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
    return result;
  }

  private static <T> void answer(
      MeteredCall metered,
      Supplier<CompletableFuture<T>> ask,
      Function<T, CallEnd> endOf,
      CompletableFuture<T> result) {
    if (result.isCancelled()) {
      var unused = metered.endQuietlyAsync(CallEnd::nothingUsed);
      return;
    }
    CompletableFuture<T> started;
    try {
      started = ask.get();
    } catch (RuntimeException e) {
      started = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<T> answer = started;
    var unusedCancelled =
        result.whenComplete(
            (ignored, failure) -> {
              if (result.isCancelled()) {
                var unused = metered.endQuietlyAsync(CallEnd::cancelled);
                answer.cancel(/* mayInterruptIfRunning= */ true);
              }
            });
    var unusedAnswered =
        answer.whenComplete(
            (value, failure) -> {
              Supplier<CallEnd> end =
                  () ->
                      failure == null
                          ? endOf.apply(value)
                          : metered.endOf(ProviderFailures.unwrapped(failure));
              var unused =
                  metered
                      .endQuietlyAsync(end)
                      .whenComplete(
                          (done, never) -> ProviderFailures.complete(result, value, failure));
            });
  }

  private CompletionStage<MeteredCall> ask(
      LlmCall call, LlmUsage estimate, Map<String, Long> amounts, boolean async, int cutsLeft) {
    return ask(request(call, amounts), async)
        .thenCompose(
            answer -> {
              if (answer instanceof Acquisition.Granted granted) {
                return CompletableFuture.completedFuture(
                    timed(new MeteredCall(this, call, estimate, granted.lease(), async)));
              }
              if (answer instanceof Acquisition.Disabled off) { // no smaller request is admitted
                return CompletableFuture.failedFuture(new LimiterDisabledException(off.disabled()));
              }
              Rejection rejection = ((Acquisition.Refused) answer).rejection();
              Map<String, Long> less = cutDown(amounts, rejection);
              return cutsLeft == 0 || less.equals(amounts)
                  ? CompletableFuture.failedFuture(new RateLimitExceededException(rejection))
                  : ask(call, estimate, less, async, cutsLeft - 1);
            });
  }

  /** Ends {@code call} after the time-out unless it has ended. */
  private MeteredCall timed(MeteredCall call) {
    if (timer.getQueue().size() < MAX_TIMED_CALLS) {
      try {
        call.endedBy(
            timer.schedule(
                () -> {
                  var unused = call.endQuietlyAsync(CallEnd::timedOut);
                },
                callTimeout.toMillis(),
                TimeUnit.MILLISECONDS));
      } catch (RejectedExecutionException e) {
        // closed: the call is its caller's to end
      }
    }
    return call;
  }

  private CompletionStage<Acquisition> ask(AcquireRequest request, boolean async) {
    if (async) {
      return maxWait.isZero()
          ? limiter.tryAcquireAsync(request)
          : limiter.tryAcquireAsync(request, maxWait);
    }
    try {
      return CompletableFuture.completedFuture(
          maxWait.isZero() ? limiter.tryAcquire(request) : limiter.tryAcquire(request, maxWait));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return CompletableFuture.failedFuture(
          new MillraceException("interrupted while waiting for tokens", Map.of(), e));
    }
  }

  private AcquireRequest request(LlmCall call, Map<String, Long> amounts) {
    AcquireRequest request = AcquireRequest.of(call.entityId(), call.resource());
    if (limits != null) {
      request = request.limits(limits);
    }
    for (Map.Entry<String, Long> amount : amounts.entrySet()) {
      request = request.consume(amount.getKey(), amount.getValue());
    }
    return request;
  }

  /** Reduces amounts beyond a ceiling to the ceiling. */
  private static Map<String, Long> cutDown(Map<String, Long> amounts, Rejection rejection) {
    Map<String, Long> less = new LinkedHashMap<>(amounts);
    for (LimitStatus status : rejection.statuses()) {
      long burst = Math.floorDiv(status.limit().burstMilli(), Limit.MILLI);
      less.computeIfPresent(status.name(), (limit, amount) -> Math.min(amount, burst));
    }
    return less;
  }

  /** Stops the timer of open calls; they may still be ended, and no longer time out. */
  @Override
  public void close() {
    timer.shutdown();
  }

  public static final class Builder {
    private final RateLimiter limiter;
    private final LimitShape shape;
    private @Nullable LimitSet limits;
    private TokenCounter counter = new ModelTokenCounter();
    private @Nullable CostEstimator estimator;
    private Duration maxWait = Duration.ZERO;
    private Duration callTimeout = DEFAULT_CALL_TIMEOUT;
    private OnTimeout onTimeout = OnTimeout.CHARGE_RECEIVED;
    private long extensionTokens = DEFAULT_EXTENSION_TOKENS;

    private Builder(RateLimiter limiter, LimitShape shape) {
      this.limiter = limiter;
      this.shape = shape;
    }

    /** Limits that come with each call, instead of the stored ones. */
    public Builder limits(LimitSet value) {
      this.limits = value;
      return this;
    }

    /** Counts texts, instead of {@link ModelTokenCounter}. */
    public Builder counter(TokenCounter value) {
      this.counter = value;
      return this;
    }

    /** Estimates the usage of calls, instead of {@link CostEstimator#learning}. */
    public Builder estimator(CostEstimator value) {
      this.estimator = value;
      return this;
    }

    /** How long a call waits for tokens before it is refused; not at all by default. */
    public Builder maxWait(Duration value) {
      if (value.isNegative()) {
        throw new IllegalArgumentException("maxWait " + value + " must not be negative");
      }
      this.maxWait = value;
      return this;
    }

    /** The time after which a call without an end is settled with what is known of it. */
    public Builder callTimeout(Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException("callTimeout " + value + " must be positive");
      }
      this.callTimeout = value;
      return this;
    }

    /** The charge of a call that timed out. */
    public Builder onTimeout(OnTimeout value) {
      this.onTimeout = value;
      return this;
    }

    /**
     * The number of output tokens charged ahead when a stream exceeds its reservation; 0 to charge
     * at the end only.
     */
    public Builder extensionTokens(long value) {
      if (value < 0 || value > Limit.MAX_TOKENS) {
        throw new IllegalArgumentException(
            "extensionTokens " + value + " must be from 0 to " + Limit.MAX_TOKENS);
      }
      this.extensionTokens = value;
      return this;
    }

    public LlmMeter build() {
      return new LlmMeter(this);
    }
  }
}
