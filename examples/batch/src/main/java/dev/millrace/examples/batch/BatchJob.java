package dev.millrace.examples.batch;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * Works through documents as fast as the limits admit, until all are done or the time is up. Each
 * call waits for its turn, never longer than what is left of the job's time. What was not done is
 * handed back.
 */
final class BatchJob {
  static final String ENTITY = "nightly-summaries";
  static final String RESOURCE = "summariser";
  static final Limit CALLS = Limit.perSecond("calls", 60);
  static final Limit TOKENS = Limit.perSecond("tokens", 16_000);

  private static final int WORKERS = 8;

  private final RateLimiter limiter;
  private final Summariser summariser;

  BatchJob(RateLimiter limiter, Summariser summariser) {
    this.limiter = limiter;
    this.summariser = summariser;
  }

  /**
   * The result of one run.
   *
   * @param done in the order in which they were done
   * @param left not done in time; each is either here or in {@code done}
   * @param chargedTokens what was charged before the calls
   * @param realTokens what they cost and was settled
   * @param failures calls that failed, were given back, and were made again
   */
  record Outcome(
      List<Document> done,
      List<Document> left,
      long chargedTokens,
      long realTokens,
      long failures) {}

  /** Runs for at most {@code time}; a call that was admitted by then is brought to its end. */
  Outcome run(Collection<Document> documents, Duration time, ProgressBar progress)
      throws InterruptedException {
    return new Run(documents, time, progress).await();
  }

  /** One run, shared by its workers. */
  private final class Run {
    private final Queue<Document> waiting;
    private final Queue<Document> done = new ConcurrentLinkedQueue<>();
    private final Queue<Document> left = new ConcurrentLinkedQueue<>();
    private final LongAdder chargedTokens = new LongAdder();
    private final LongAdder realTokens = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final long deadlineNanos;
    private final ProgressBar progress;

    Run(Collection<Document> documents, Duration time, ProgressBar progress) {
      this.waiting = new ConcurrentLinkedQueue<>(documents);
      this.deadlineNanos = System.nanoTime() + time.toNanos();
      this.progress = progress;
    }

    Outcome await() throws InterruptedException {
      Callable<Void> worker =
          () -> {
            for (Document next = waiting.poll(); next != null; next = waiting.poll()) {
              handle(next);
            }
            return null;
          };
      ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
      try {
        for (Future<Void> ended : workers.invokeAll(Collections.nCopies(WORKERS, worker))) {
          ended.get();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("the job broke off", e);
      } finally {
        workers.shutdownNow();
      }
      return new Outcome(
          List.copyOf(done),
          List.copyOf(left),
          chargedTokens.sum(),
          realTokens.sum(),
          failures.sum());
    }

    private void handle(Document document) throws InterruptedException {
      Duration rest = Duration.ofNanos(deadlineNanos - System.nanoTime());
      if (rest.isNegative()) {
        left.add(document);
        return;
      }
      AcquireRequest request =
          AcquireRequest.of(ENTITY, RESOURCE)
              .limits(CALLS, TOKENS)
              .consume(CALLS.name(), 1)
              .consume(TOKENS.name(), document.estimatedTokens());
      Lease lease;
      try {
        // Waits its turn: first come, first served.
        lease = limiter.acquire(request, rest);
      } catch (RateLimitExceededException | LimiterUnavailableException e) {
        left.add(document); // its turn would come too late, or the store is away
        return;
      }
      try (lease) {
        call(document, lease);
      }
    }

    private void call(Document document, Lease lease) throws InterruptedException {
      try {
        long real = summariser.summarise(document);
        // The difference is settled when the lease is closed, in one write with others.
        lease.adjust(TOKENS.name(), real - document.estimatedTokens());
        chargedTokens.add(document.estimatedTokens());
        realTokens.add(real);
        done.add(document);
        progress.add(real);
      } catch (IOException e) {
        lease.cancel(); // nothing was produced: everything is given back
        failures.increment();
        waiting.add(document); // until the time is up
      }
    }
  }
}
