package dev.millrace.llm;

import dev.millrace.Lease;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One admitted call: a reservation until its usage is known.
 *
 * <p>It ends once. Whatever races, an answer with a cancellation or a time-out with either, the
 * first end takes effect and the others do nothing. Writes follow each other: an end waits for an
 * extension that is under way, so that it settles the total charge.
 *
 * <p>When the call was begun by {@link LlmMeter#begin}, or the limiter's store only blocks, every
 * write is made by the calling thread, and the returned stages are complete, except when they have
 * to wait for a write of another thread. Thread-safe.
 */
public final class MeteredCall {
  private static final Logger LOG = System.getLogger(MeteredCall.class.getName());

  private final LlmMeter meter;
  private final LlmCall call;
  private final LlmUsage estimate;
  private final Lease lease;
  private final boolean async;

  private final Object lock = new Object();
  private final StreamOutput produced;
  private long coveredOutput;
  private @Nullable CallEnd end;
  private @Nullable Future<?> timeout;

  /** The last write that was begun, completed when it is done. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  MeteredCall(LlmMeter meter, LlmCall call, LlmUsage estimate, Lease lease, boolean async) {
    this.meter = meter;
    this.call = call;
    this.estimate = estimate;
    this.lease = lease;
    this.async = async;
    this.produced = new StreamOutput(meter.counter, call.model());
    this.coveredOutput = estimate.outputTokens();
  }

  public LlmCall call() {
    return call;
  }

  public LlmUsage estimate() {
    return estimate;
  }

  /** Whole tokens of {@code limit} that are charged now. */
  public long charged(String limit) {
    return lease.consumed(limit);
  }

  public boolean hasEnded() {
    synchronized (lock) {
      return end != null;
    }
  }

  /**
   * Reports a part of the answer as it arrives. When the output exceeds the reservation, some more
   * is charged ahead; if that does not fit, the stream goes on and the remainder is settled at the
   * end.
   */
  public void produced(String piece) {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    CompletableFuture<Void> before;
    long output;
    synchronized (lock) {
      if (end != null || piece.isEmpty()) {
        return;
      }
      produced.add(piece);
      if (meter.extensionTokens == 0 || produced.roughTokens() <= coveredOutput || !last.isDone()) {
        return;
      }
      output = produced.roughTokens() + meter.extensionTokens;
      coveredOutput = output;
      before = last;
      last = mine;
    }
    var unused =
        after(before, () -> extend(output))
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    LOG.log(Level.DEBUG, "a stream's extension was not charged yet", failure);
                  }
                  mine.complete(null);
                });
  }

  /** Charges what a total of {@code output} tokens costs beyond the present charge. */
  private CompletionStage<Void> extend(long output) {
    Map<String, Long> more = new LinkedHashMap<>();
    meter
        .shape
        .amounts(LlmUsage.of(estimate.inputTokens(), output))
        .forEach(
            (limit, amount) -> {
              long missing = amount - charged(limit);
              if (missing > 0) {
                more.put(limit, missing);
              }
            });
    return more.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : written(() -> lease.consumeAsync(more), () -> lease.consume(more));
  }

  /**
   * Ends the call, and returns whether this was the end that took effect. Waits until it is
   * written.
   */
  public boolean end(CallEnd how) {
    return ProviderFailures.join(endAsync(how));
  }

  /**
   * Ends the call as {@link #end} does, for callers with an answer: a failure to settle is logged,
   * and the answer is kept.
   */
  public void endQuietly(Supplier<CallEnd> answer) {
    var unused = endQuietlyAsync(answer).toCompletableFuture().join();
  }

  /**
   * {@link #endQuietly} without waiting, with the usage in an answer. Invalid usage, such as a
   * negative number of tokens, leaves the reservation as it is.
   */
  public CompletionStage<Void> endQuietlyAsync(Supplier<CallEnd> answer) {
    CallEnd how = CallEnd.unknown();
    try {
      how = answer.get();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "invalid usage in an answer of " + call.model(), e);
    }
    return endAsync(how)
        .handle(
            (first, failure) -> {
              if (failure != null) {
                LOG.log(
                    Level.WARNING,
                    "a call of " + call.entityId() + "/" + call.resource() + " was not settled",
                    failure);
              }
              return null;
            });
  }

  /** The end that {@code failure} means: no usage, unless there was output or may have been. */
  public CallEnd endOf(Throwable failure) {
    if (ProviderFailures.isTimeout(failure)) {
      return CallEnd.timedOut();
    }
    synchronized (lock) {
      return produced.isEmpty() ? CallEnd.nothingUsed() : CallEnd.cancelled();
    }
  }

  private CompletionStage<Boolean> endAsync(CallEnd how) {
    CompletableFuture<Void> before;
    CompletableFuture<Void> mine = new CompletableFuture<>();
    synchronized (lock) {
      if (end != null) {
        return CompletableFuture.completedFuture(false);
      }
      end = how;
      before = last;
      last = mine;
      if (timeout != null) {
        timeout.cancel(/* mayInterruptIfRunning= */ false);
      }
    }
    return after(before, () -> write(how))
        .whenComplete((done, failure) -> mine.complete(null))
        .thenApply(done -> true);
  }

  /** Makes {@code timer} the future that ends the call; an end cancels it. */
  void endedBy(Future<?> timer) {
    synchronized (lock) {
      if (end != null) {
        timer.cancel(/* mayInterruptIfRunning= */ false);
      }
      timeout = timer;
    }
  }

  private CompletionStage<Void> write(CallEnd how) {
    if (how.kind == CallEnd.Kind.NOTHING_USED) {
      return written(lease::cancelAsync, lease::cancel);
    }
    boolean keepsReservation =
        how.kind == CallEnd.Kind.UNKNOWN
            || (how.kind == CallEnd.Kind.TIMED_OUT
                && meter.onTimeout == OnTimeout.KEEP_RESERVATION
                && producedTokens() <= estimate.outputTokens());
    if (!keepsReservation) {
      adjust(how);
    }
    return written(lease::closeAsync, lease::close);
  }

  private void adjust(CallEnd how) {
    try {
      LlmUsage usage = usageOf(how);
      meter
          .shape
          .amounts(usage)
          .forEach((limit, amount) -> lease.adjust(limit, amount - charged(limit)));
      if (how.kind == CallEnd.Kind.ANSWERED) {
        meter.estimator.observe(call, estimate, usage);
      }
    } catch (RuntimeException e) { // a counter or an estimator of the application
      LOG.log(
          Level.WARNING, "the usage of a call of " + call.model() + " could not be determined", e);
    }
  }

  private LlmUsage usageOf(CallEnd how) {
    if (how.usage != null) {
      return how.usage;
    }
    long output = how.text == null ? producedTokens() : meter.counter.count(call.model(), how.text);
    return LlmUsage.of(estimate.inputTokens(), output);
  }

  private long producedTokens() {
    synchronized (lock) {
      return produced.tokens();
    }
  }

  /** Writes without blocking, or by the calling thread; then the stage is complete. */
  private CompletionStage<Void> written(
      Supplier<CompletionStage<Void>> asynchronous, Runnable blocking) {
    if (async) {
      return asynchronous.get();
    }
    blocking.run();
    return CompletableFuture.completedFuture(null);
  }

  /** Begins a write after the previous one, on this thread when that is done already. */
  private static CompletionStage<Void> after(
      CompletableFuture<Void> before, Supplier<CompletionStage<Void>> write) {
    return before.thenCompose(
        done -> {
          try {
            return write.get();
          } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }
}
