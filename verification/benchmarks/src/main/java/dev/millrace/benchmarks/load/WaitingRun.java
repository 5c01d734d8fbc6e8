package dev.millrace.benchmarks.load;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.testkit.internal.model.ModelStore;
import dev.millrace.testkit.internal.model.PartitionLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for tokens, beside callers that do not: many at once on a full bucket, and more
 * than are due on a scarce one. The store is the model, with a round trip.
 */
public final class WaitingRun {
  private static final Duration ROUND_TRIP = Duration.ofMillis(4);

  /** Of each kind, in turn; the middle one counts. */
  private static final int ROUNDS = 5;

  /** Tokens a second of the scarce bucket, and how many times as many are asked for. */
  private static final int DUE_PER_SECOND = 1_000;

  private static final int ASKED_OF_DUE = 2;

  /** How long callers of the scarce bucket wait at most. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final Limit PLENTY = Limit.perSecond("rps", 10_000_000);
  private static final Limit SCARCE = Limit.perSecond("rps", DUE_PER_SECOND);

  private final RateLimiter limiter;
  private final boolean async;
  private final ExecutorService threads;

  private WaitingRun(RateLimiter limiter, boolean async, ExecutorService threads) {
    this.limiter = limiter;
    this.async = async;
    this.threads = threads;
  }

  /** An answer to a caller: when it asked, when it was answered, whether it was admitted. */
  private record Answer(long askedNanos, long endedNanos, boolean admitted) {}

  /** The time that all callers took together, and the writes for each. */
  private record Burst(double ms, double writesEach) {}

  /**
   * The figures of one kind of callers.
   *
   * @param withoutMs until all callers without a wait were answered, on a full bucket
   * @param withMs the same of those with one
   * @param withoutWritesEach writes for each of the former
   * @param withWritesEach and of the latter
   * @param admittedOfDue what was admitted of what was due, on a scarce bucket
   * @param scarceWritesEach writes for each caller that was admitted there
   * @param overtaken the part of those admitted that another one overtook which had asked more than
   *     {@link #NOISE_MS} later
   * @param worstOvertakeMs the greatest difference between their times of asking
   */
  public record Figures(
      int callers,
      double withoutMs,
      double withMs,
      double withoutWritesEach,
      double withWritesEach,
      double admittedOfDue,
      double scarceWritesEach,
      double overtaken,
      double worstOvertakeMs) {
    /** By their names in JSON, which begin with {@code kind}. */
    Map<String, Object> figures(String kind) {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put(kind + "WithoutMs", withoutMs);
      named.put(kind + "WithMs", withMs);
      named.put(kind + "TimeRatio", withMs / withoutMs);
      named.put(kind + "WithoutWritesEach", withoutWritesEach);
      named.put(kind + "WithWritesEach", withWritesEach);
      named.put(kind + "AdmittedOfDue", admittedOfDue);
      named.put(kind + "ScarceWritesEach", scarceWritesEach);
      named.put(kind + "Overtaken", overtaken);
      named.put(kind + "WorstOvertakeMs", worstOvertakeMs);
      return named;
    }
  }

  /** Threads of the machine run in any order for about so long. */
  static final long NOISE_MS = 50;

  /** Measures callers that block, then asynchronous ones. */
  public static Map<String, Object> run(int callers, int seconds) throws InterruptedException {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("scenario", "waiting");
    figures.put("callers", callers);
    figures.put("seconds", seconds);
    figures.putAll(of(false, callers, seconds).figures("blocking"));
    figures.putAll(of(true, callers, seconds).figures("async"));
    return figures;
  }

  private static Figures of(boolean async, int callers, int seconds) throws InterruptedException {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Burst> without = new ArrayList<>();
      List<Burst> with = new ArrayList<>();
      try (ModelStore store = ModelStore.of(ROUND_TRIP, PartitionLimits.DYNAMODB);
          RateLimiter limiter = RateLimiter.create(store, LimiterOptions.defaults())) {
        WaitingRun run = new WaitingRun(limiter, async, threads);
        for (int i = 0; i <= ROUNDS; i++) {
          Burst withoutWait = run.burst(callers, null);
          Burst withWait = run.burst(callers, MINUTE);
          if (i > 0) { // the first round warms up
            without.add(withoutWait);
            with.add(withWait);
          }
        }
      }
      try (ModelStore store = ModelStore.of(ROUND_TRIP, PartitionLimits.DYNAMODB);
          RateLimiter limiter = RateLimiter.create(store, LimiterOptions.defaults())) {
        return new WaitingRun(limiter, async, threads)
            .scarce(callers, middle(without), middle(with), seconds);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Burst middle(List<Burst> bursts) {
    return bursts.stream()
        .sorted(Comparator.comparingDouble(Burst::ms))
        .skip(bursts.size() / 2)
        .findFirst()
        .orElseThrow();
  }

  /** All at once. */
  private Burst burst(int callers, @Nullable Duration maxWait) throws InterruptedException {
    AcquireRequest request =
        AcquireRequest.of("key", "gpt-4").limits(PLENTY).consume(PLENTY.name(), 1);
    limiter.acquire(request);
    double unitsBefore = limiter.metrics().writeUnits();
    CountDownLatch ready = new CountDownLatch(async ? 0 : callers);
    CountDownLatch start = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(callers);
    ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < callers && !async; i++) {
      threads.execute(
          () -> {
            ready.countDown();
            try {
              start.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              return;
            }
            ask(request, maxWait, answers, ended);
          });
    }
    ready.await();
    long beganNanos = System.nanoTime();
    start.countDown();
    for (int i = 0; i < callers && async; i++) {
      ask(request, maxWait, answers, ended);
    }
    await(ended);
    double ms = (System.nanoTime() - beganNanos) / 1e6;
    requireAll(answers, callers);
    return new Burst(ms, (limiter.metrics().writeUnits() - unitsBefore) / callers);
  }

  private static void await(CountDownLatch ended) throws InterruptedException {
    if (!ended.await(5, TimeUnit.MINUTES)) {
      throw new IllegalStateException("a caller was never answered");
    }
  }

  private static void requireAll(Collection<Answer> answers, int callers) {
    long admitted = answers.stream().filter(Answer::admitted).count();
    if (admitted != callers) {
      throw new IllegalStateException(
          "only " + admitted + " of " + callers + " were admitted on a full bucket");
    }
  }

  private void ask(
      AcquireRequest request,
      @Nullable Duration maxWait,
      Collection<Answer> answers,
      CountDownLatch ended) {
    long askedNanos = System.nanoTime();
    if (async) {
      (maxWait == null ? limiter.acquireAsync(request) : limiter.acquireAsync(request, maxWait))
          .whenComplete(
              (lease, failure) -> {
                answers.add(new Answer(askedNanos, System.nanoTime(), failure == null));
                ended.countDown();
                requireAnswer(failure);
              });
      return;
    }
    boolean admitted = false;
    try {
      if (maxWait == null) {
        limiter.acquire(request);
      } else {
        limiter.acquire(request, maxWait);
      }
      admitted = true;
    } catch (RateLimitExceededException | LimiterUnavailableException e) {
      admitted = false; // counted
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      answers.add(new Answer(askedNanos, System.nanoTime(), admitted));
      ended.countDown();
    }
  }

  private static void requireAnswer(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause != null
        && !(cause instanceof RateLimitExceededException)
        && !(cause instanceof LimiterUnavailableException)) {
      throw new IllegalStateException("a caller was not answered", cause);
    }
  }

  /** More than are due, at a steady rate, after the bucket was emptied. */
  private Figures scarce(int callers, Burst without, Burst with, int seconds)
      throws InterruptedException {
    AcquireRequest request =
        AcquireRequest.of("key", "gpt-4").limits(SCARCE).consume(SCARCE.name(), 1);
    limiter.acquire(
        AcquireRequest.of("key", "gpt-4").limits(SCARCE).consume(SCARCE.name(), DUE_PER_SECOND));
    double unitsBefore = limiter.metrics().writeUnits();
    int asked = (seconds + 1) * DUE_PER_SECOND * ASKED_OF_DUE;
    CountDownLatch ended = new CountDownLatch(asked);
    ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    long startNanos = System.nanoTime();
    for (int i = 0; i < asked; i++) {
      long dueNanos =
          startNanos + i * TimeUnit.SECONDS.toNanos(1) / (DUE_PER_SECOND * ASKED_OF_DUE);
      TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
      if (async) {
        ask(request, LONGEST_WAIT, answers, ended);
      } else {
        threads.execute(() -> ask(request, LONGEST_WAIT, answers, ended));
      }
    }
    await(ended);
    double units = limiter.metrics().writeUnits() - unitsBefore;
    // The first second fills the line.
    long fromNanos = startNanos + TimeUnit.SECONDS.toNanos(1);
    long toNanos = fromNanos + TimeUnit.SECONDS.toNanos(seconds);
    long admitted =
        answers.stream()
            .filter(Answer::admitted)
            .filter(a -> a.endedNanos - fromNanos >= 0 && a.endedNanos - toNanos < 0)
            .count();
    long all = answers.stream().filter(Answer::admitted).count();
    double[] overtakenMs = overtakenMs(answers);
    return new Figures(
        callers,
        without.ms,
        with.ms,
        without.writesEach,
        with.writesEach,
        (double) admitted / seconds / DUE_PER_SECOND,
        units / Math.max(1, all),
        (double) Arrays.stream(overtakenMs).filter(ms -> ms > NOISE_MS).count()
            / Math.max(1, overtakenMs.length),
        Arrays.stream(overtakenMs).max().orElse(0));
  }

  /** By how much later the latest caller had asked that was admitted before each one. */
  private static double[] overtakenMs(Collection<Answer> answers) {
    List<Answer> admitted =
        answers.stream()
            .filter(Answer::admitted)
            .sorted(Comparator.comparingLong(Answer::endedNanos))
            .toList();
    double[] overtakenMs = new double[admitted.size()];
    long latestNanos = admitted.isEmpty() ? 0 : admitted.get(0).askedNanos;
    for (int i = 0; i < overtakenMs.length; i++) {
      long askedNanos = admitted.get(i).askedNanos;
      overtakenMs[i] = Math.max(0, latestNanos - askedNanos) / 1e6;
      latestNanos = Math.max(latestNanos, askedNanos);
    }
    return overtakenMs;
  }
}
