package dev.millrace.benchmarks.load;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.BlockingStore;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A steady load on a store that goes away for a while and comes back: how long answers take
 * meanwhile, how many threads wait for one, and how soon requests are granted again.
 */
public final class StoreAwayRun {
  /** Requests a second: each has a thread of its own as long as it takes. */
  public static final int PER_SECOND = 200;

  private static final int ENTITIES = 20;
  private static final int WARM_UP_SECONDS = 3;

  /** How long it may take until the limiter knows that the store is away. */
  private static final int NOTICED_SECONDS = 3;

  /** How long it is watched after the store is back. */
  private static final int AFTER_SECONDS = 5;

  private static final Limit LIMIT = Limit.perMinute("rpm", 1_000_000);

  private final RateLimiter limiter;
  private final AtomicInteger waiting = new AtomicInteger();
  private int mostEver;
  private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();

  private StoreAwayRun(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /** The kinds of an absence of the store. */
  public enum Manner {
    /** Connections are there, and nothing comes back. */
    FROZEN,
    /** Connections are refused. */
    REFUSED
  }

  private record Answer(long askedNanos, long tookNanos, boolean granted) {
    long endedNanos() {
      return askedNanos + tookNanos;
    }
  }

  /**
   * The figures of the run.
   *
   * @param answers answers to requests made while the store was away and that was known
   * @param p50Ms the median of how long they took, and so on
   * @param mostThreads most of those requests that waited for an answer at once, each on a thread
   * @param mostThreadsEver the same of all requests, over the whole time
   * @param backMs from the store's return to the first request that was granted
   * @param refusedAfterMs from the store's return to the last request that was not granted
   * @param absences absences of the store, as the limiter found, between its going and its return
   */
  public record Figures(
      Manner manner,
      int seconds,
      int answers,
      double p50Ms,
      double p99Ms,
      double maxMs,
      int mostThreads,
      int mostThreadsEver,
      double backMs,
      double refusedAfterMs,
      long absences) {
    /** By their names in JSON. */
    public Map<String, Object> figures() {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("scenario", "away");
      named.put("manner", manner.name());
      named.put("seconds", seconds);
      named.put("answers", answers);
      named.put("p50Ms", p50Ms);
      named.put("p99Ms", p99Ms);
      named.put("maxMs", maxMs);
      named.put("mostThreads", mostThreads);
      named.put("mostThreadsEver", mostThreadsEver);
      named.put("backMs", backMs);
      named.put("refusedAfterMs", refusedAfterMs);
      named.put("absences", absences);
      return named;
    }
  }

  /**
   * Takes the store away for {@code seconds}.
   *
   * @param engine where the store is
   * @param stores a store at an endpoint
   */
  public static Figures run(
      URI engine, Function<URI, BlockingStore> stores, Manner manner, int seconds)
      throws IOException, InterruptedException {
    try (TcpGate gate = new TcpGate(engine);
        RateLimiter limiter =
            RateLimiter.create(stores.apply(gate.endpoint()), LimiterOptions.defaults())) {
      return new StoreAwayRun(limiter).run(gate, manner, seconds);
    }
  }

  private Figures run(TcpGate gate, Manner manner, int seconds)
      throws IOException, InterruptedException {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      ask(threads, WARM_UP_SECONDS);
      LimiterMetrics before = limiter.metrics();
      // On a busy machine the store may look away already; that absence then goes on.
      long absencesBefore = before.storeAbsences() - before.storeAway();
      long wentNanos = System.nanoTime();
      if (manner == Manner.FROZEN) {
        gate.freeze();
      } else {
        gate.refuse();
      }
      ask(threads, Math.min(NOTICED_SECONDS, seconds));
      int mostThreads = ask(threads, seconds - Math.min(NOTICED_SECONDS, seconds));
      long absences = limiter.metrics().storeAbsences() - absencesBefore;
      gate.open();
      long backNanos = System.nanoTime();
      ask(threads, AFTER_SECONDS);
      threads.shutdown();
      if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("a request was never answered");
      }
      long noticedNanos = wentNanos + TimeUnit.SECONDS.toNanos(NOTICED_SECONDS);
      return figures(manner, seconds, noticedNanos, backNanos, mostThreads, absences);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Asks for so long; the most of these requests that waited at once. */
  private int ask(ExecutorService threads, int seconds) throws InterruptedException {
    int most = 0;
    AtomicInteger own = new AtomicInteger();
    long startNanos = System.nanoTime();
    for (int i = 0; i < seconds * PER_SECOND; i++) {
      long dueNanos = startNanos + i * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
      TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
      int entity = i % ENTITIES;
      threads.execute(() -> acquire(entity, own));
      most = Math.max(most, own.get());
      mostEver = Math.max(mostEver, waiting.get());
    }
    return most;
  }

  private void acquire(int entity, AtomicInteger own) {
    AcquireRequest request =
        AcquireRequest.of("key-" + entity, "gpt-4").limits(LIMIT).consume("rpm", 1);
    long askedNanos = System.nanoTime();
    own.incrementAndGet();
    waiting.incrementAndGet();
    boolean granted = true;
    try {
      limiter.acquire(request).close();
    } catch (LimiterUnavailableException e) {
      granted = false; // counted
    } finally {
      waiting.decrementAndGet();
      own.decrementAndGet();
    }
    answers.add(new Answer(askedNanos, System.nanoTime() - askedNanos, granted));
  }

  private Figures figures(
      Manner manner,
      int seconds,
      long noticedNanos,
      long backNanos,
      int mostThreads,
      long absences) {
    double[] tookMs =
        answers.stream()
            .filter(a -> a.askedNanos - noticedNanos >= 0 && a.askedNanos - backNanos < 0)
            .mapToDouble(a -> a.tookNanos / 1e6)
            .sorted()
            .toArray();
    double backMs =
        answers.stream()
            .filter(a -> a.granted && a.askedNanos - backNanos >= 0)
            .mapToDouble(a -> (a.endedNanos() - backNanos) / 1e6)
            .min()
            .orElse(Double.NaN);
    double refusedAfterMs =
        answers.stream()
            .filter(a -> !a.granted && a.endedNanos() - backNanos >= 0)
            .mapToDouble(a -> (a.endedNanos() - backNanos) / 1e6)
            .max()
            .orElse(0);
    return new Figures(
        manner,
        seconds,
        tookMs.length,
        at(tookMs, 0.5),
        at(tookMs, 0.99),
        tookMs.length == 0 ? Double.NaN : Arrays.stream(tookMs).max().orElseThrow(),
        mostThreads,
        mostEver,
        backMs,
        refusedAfterMs,
        absences);
  }

  private static double at(double[] sorted, double quantile) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))];
  }
}
