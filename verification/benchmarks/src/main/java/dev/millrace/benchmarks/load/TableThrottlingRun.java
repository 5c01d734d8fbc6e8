package dev.millrace.benchmarks.load;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Many cold buckets before a table that turns part of all calls away, whatever their key. */
public final class TableThrottlingRun {
  private static final int BUCKETS = 300;
  private static final int THROTTLED_PERCENT = 30;
  private static final Limit LIMIT = Limit.perMinute("rpm", 600);

  private TableThrottlingRun() {}

  /**
   * The counts of the run.
   *
   * @param items items of the table at the end
   * @param served requests that were served while the table was throttled
   * @param failed requests that were not
   * @param unitsPerRequest write units per request that was served meanwhile
   * @param unitsPerRequestAfter the same afterwards
   * @param throttled calls that were turned away
   * @param resized times that a bucket was to have more shards, or fewer
   */
  public record Figures(
      int items,
      int served,
      int failed,
      double unitsPerRequest,
      double unitsPerRequestAfter,
      long throttled,
      long resized) {
    /** By their names in JSON. */
    public Map<String, Object> figures() {
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("scenario", "throttled");
      named.put("items", items);
      named.put("served", served);
      named.put("failed", failed);
      named.put("unitsPerRequest", unitsPerRequest);
      named.put("unitsPerRequestAfter", unitsPerRequestAfter);
      named.put("throttled", throttled);
      named.put("resized", resized);
      return named;
    }
  }

  /** Throttles for {@code seconds}, then looks on for a third of that. */
  public static Figures run(int seconds) throws InterruptedException {
    InMemoryStore memory = new InMemoryStore();
    AtomicBoolean throttles = new AtomicBoolean(true);
    BlockingStore front =
        (call, timeoutMs) ->
            throttles.get() && ThreadLocalRandom.current().nextInt(100) < THROTTLED_PERCENT
                ? new StoreReply.NotApplied(
                    new StoreFailure(StoreFailure.Kind.THROTTLED, null), Receipt.NONE)
                : memory.execute(call, timeoutMs);
    try (RateLimiter limiter =
        RateLimiter.create(front, LimiterOptions.builder().correctClock(false).build())) {
      int served = ask(limiter, seconds);
      LimiterMetrics during = limiter.metrics();
      throttles.set(false);
      int servedAfter = ask(limiter, seconds / 3);
      LimiterMetrics after = limiter.metrics();
      return new Figures(
          memory.size(),
          served,
          seconds * BUCKETS - served,
          during.writeUnits() / Math.max(1, served),
          (after.writeUnits() - during.writeUnits()) / Math.max(1, servedAfter),
          during.throttled(),
          after.resized());
    }
  }

  private static int ask(RateLimiter limiter, int seconds) throws InterruptedException {
    int served = 0;
    long startNanos = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        AcquireRequest request =
            AcquireRequest.of("key-" + bucket, "gpt-4").limits(LIMIT).consume("rpm", 1);
        try {
          limiter.acquire(request).close();
          served++;
        } catch (LimiterUnavailableException e) {
          // The table turned it away to the last; counted as failed.
        }
      }
      long nextNanos = startNanos + TimeUnit.SECONDS.toNanos(second + 1L);
      TimeUnit.NANOSECONDS.sleep(nextNanos - System.nanoTime());
    }
    return served;
  }
}
