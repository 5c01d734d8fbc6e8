package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.load.Spending;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.RateLimiter;
import java.util.ArrayList;
import java.util.List;

/** Limiters that share nothing but the store. */
final class Processes implements AutoCloseable {
  private final List<RateLimiter> limiters = new ArrayList<>();

  private Processes() {}

  /** So many processes, all with the same options. */
  static Processes open(Bench bench, int count, LimiterOptions options, boolean async) {
    Processes processes = new Processes();
    for (int i = 0; i < count; i++) {
      processes.limiters.add(bench.backend().process(options, async));
    }
    return processes;
  }

  /** What the user chose of a limiter. */
  static LimiterOptions.Builder options(Bench bench) {
    return LimiterOptions.builder().namespace("bench").grouping(bench.load().grouping());
  }

  RateLimiter get(int index) {
    return limiters.get(index);
  }

  /** Number {@code index} when callers are dealt out in turn. */
  RateLimiter dealt(int index) {
    return limiters.get(index % limiters.size());
  }

  List<RateLimiter> all() {
    return limiters;
  }

  /** What all of them have spent. */
  Spending spending() {
    Spending sum = Spending.NONE;
    for (RateLimiter limiter : limiters) {
      sum = sum.plus(Spending.of(limiter.metrics()));
    }
    return sum;
  }

  @Override
  public void close() {
    limiters.forEach(RateLimiter::close);
  }
}
