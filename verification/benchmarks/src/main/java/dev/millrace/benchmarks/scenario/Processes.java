package dev.millrace.benchmarks.scenario;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.load.StoreCost;
import dev.millrace.benchmarks.load.StoreMeter;
import dev.millrace.core.spi.store.BlockingStore;
import java.util.ArrayList;
import java.util.List;

/** Limiters that share nothing but the store. */
final class Processes implements AutoCloseable {
  /** A namespace by its id: nobody needs to register it. */
  static final String NAMESPACE = "bench";

  private final List<RateLimiter> limiters = new ArrayList<>();
  private final StoreMeter meter = new StoreMeter();

  private Processes() {}

  /** So many processes, all with the same options. */
  static Processes open(Bench bench, int count, LimiterOptions options, boolean async) {
    Processes processes = new Processes();
    for (int i = 0; i < count; i++) {
      BlockingStore store = processes.meter.on(bench.backend().store(async));
      processes.limiters.add(RateLimiter.create(store, options));
    }
    return processes;
  }

  /** What the user chose of a limiter. */
  static LimiterOptions.Builder options(Bench bench) {
    return LimiterOptions.builder().namespaceId(NAMESPACE).grouping(bench.load().grouping());
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
  StoreCost spending() {
    return meter.spending();
  }

  @Override
  public void close() {
    limiters.forEach(RateLimiter::close);
  }
}
