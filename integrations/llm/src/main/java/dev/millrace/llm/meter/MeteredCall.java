package dev.millrace.llm.meter;

import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.estimate.Estimate;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

  private final LlmCall call;
  private final Estimate estimate;
  private final MeterLease lease;
  private final MeterSettings settings;

  private final Object lock = new Object();
  private final StreamOutput produced;
  private long coveredOutput;
  private @Nullable CallEnd end;
  private @Nullable Future<?> watch;

  /** The last write that was begun, completed when it is done. */
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  MeteredCall(LlmCall call, Estimate estimate, MeterLease lease, MeterSettings settings) {
    this.call = call;
    this.estimate = estimate;
    this.lease = lease;
    this.settings = settings;
    this.produced = new StreamOutput(settings.counter(), call.model());
    this.coveredOutput = estimate.outputTokens();
  }

  /** The call. */
  public LlmCall call() {
    return call;
  }

  /** The expected usage. */
  public Estimate estimate() {
    return estimate;
  }

  /** Whole tokens of {@code limit} that are charged now. */
  public long charged(String limit) {
    return lease.lease().consumed(limit);
  }

  /** Whether it has ended. */
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
    CompletableFuture<Void> before;
    CompletableFuture<Void> mine;
    synchronized (lock) {
      if (end != null || piece.isEmpty()) {
        return;
      }
      produced.add(piece);
      if (settings.extensionTokens() == 0
          || produced.roughTokens() <= coveredOutput
          || !last.isDone()) {
        return;
      }
      coveredOutput = produced.roughTokens() + settings.extensionTokens();
      before = last;
      mine = new CompletableFuture<>();
      last = mine;
    }
    var unused =
        after(before, this::extend)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    LOG.log(Level.DEBUG, "a stream's extension was not charged yet", failure);
                  }
                  mine.complete(null);
                });
  }

  private CompletionStage<Void> extend() {
    long output;
    synchronized (lock) {
      output = coveredOutput;
    }
    Map<String, Long> more = new LinkedHashMap<>();
    settings
        .shape()
        .amounts(LlmUsage.of(estimate.inputTokens(), output))
        .forEach(
            (limit, amount) -> {
              long missing = amount - charged(limit);
              if (missing > 0) {
                more.put(limit, missing);
              }
            });
    return more.isEmpty() ? CompletableFuture.completedFuture(null) : lease.consume(more);
  }

  /**
   * Ends the call, and returns whether this was the end that took effect. Waits until it is
   * written.
   */
  public boolean end(CallEnd how) {
    try {
      return endAsync(how).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
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
    try {
      return endQuietlyAsync(answer.get());
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "invalid usage in an answer of " + call.model(), e);
      return endQuietlyAsync(CallEnd.unknown());
    }
  }

  /** {@link #endQuietly} without waiting. */
  public CompletionStage<Void> endQuietlyAsync(CallEnd how) {
    return endAsync(how)
        .handle(
            (took, failure) -> {
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

  /** {@link #end} without waiting. */
  public CompletionStage<Boolean> endAsync(CallEnd how) {
    CompletableFuture<Void> before;
    CompletableFuture<Void> mine = new CompletableFuture<>();
    synchronized (lock) {
      if (end != null) {
        return CompletableFuture.completedFuture(false);
      }
      end = how;
      before = last;
      last = mine;
      if (watch != null) {
        watch.cancel(/* mayInterruptIfRunning= */ false);
      }
    }
    return after(before, () -> write(how))
        .whenComplete((done, failure) -> mine.complete(null))
        .thenApply(done -> true);
  }

  /** Ends the call unless it has ended, {@code when} the future runs. */
  void watchedBy(Future<?> when) {
    synchronized (lock) {
      if (end != null) {
        when.cancel(/* mayInterruptIfRunning= */ false);
      }
      watch = when;
    }
  }

  private CompletionStage<Void> write(CallEnd how) {
    if (how instanceof CallEnd.NothingUsed) {
      return lease.cancel();
    }
    if (how instanceof CallEnd.Unknown) {
      return lease.close();
    }
    if (how instanceof CallEnd.TimedOut
        && settings.onTimeout() == OnTimeout.KEEP_RESERVATION
        && producedTokens() <= estimate.outputTokens()) {
      return lease.close();
    }
    try {
      adjust(how);
    } catch (RuntimeException e) { // a counter or an estimator of the application
      LOG.log(
          Level.WARNING, "the usage of a call of " + call.model() + " could not be determined", e);
    }
    return lease.close();
  }

  private void adjust(CallEnd how) {
    LlmUsage usage = usageOf(how);
    settings
        .shape()
        .amounts(usage)
        .forEach((limit, amount) -> lease.lease().adjust(limit, amount - charged(limit)));
    if (how instanceof CallEnd.Used || how instanceof CallEnd.Answered) {
      settings.estimator().observe(call, estimate, usage);
    }
  }

  private LlmUsage usageOf(CallEnd how) {
    if (how instanceof CallEnd.Used used) {
      return used.usage();
    }
    if (how instanceof CallEnd.Answered answered && answered.text() != null) {
      long output = settings.counter().count(call.model(), answered.text());
      return LlmUsage.of(estimate.inputTokens(), output);
    }
    return LlmUsage.of(estimate.inputTokens(), producedTokens());
  }

  private long producedTokens() {
    synchronized (lock) {
      return produced.tokens();
    }
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
