package dev.millrace.benchmarks.backend;

import dev.millrace.client.LimiterOptions;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.request.AcquireRequest;

/** An empty store that any number of processes share. */
public interface Backend extends AutoCloseable {
  /** What kind of store it is. */
  BackendKind kind();

  /**
   * A limiter that shares nothing with others but the store, as one in a process of its own would.
   *
   * @param async whether it will be called without blocking, too
   */
  RateLimiter process(LimiterOptions options, boolean async);

  /** The write that a limiter sends for {@code shape}, without the limiter, on a client of one. */
  RawWrite rawWrite(AcquireRequest shape);

  @Override
  void close();
}
