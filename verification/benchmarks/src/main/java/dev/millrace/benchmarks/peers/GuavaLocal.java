package dev.millrace.benchmarks.peers;

import com.google.common.util.concurrent.RateLimiter;
import dev.millrace.benchmarks.load.Ask;
import java.util.List;

/** Guava's rate limiter, asked without waiting. */
final class GuavaLocal implements Peer {
  @Override
  public String name() {
    return "Guava";
  }

  @Override
  public Scope scope() {
    return Scope.LOCAL;
  }

  @Override
  @SuppressWarnings("UnstableApiUsage") // Guava calls it beta; many use it
  public Ask ask(List<String> keys) {
    return KeyedLimiters.of(keys, key -> RateLimiter.create(PER_SECOND), RateLimiter::tryAcquire);
  }
}
