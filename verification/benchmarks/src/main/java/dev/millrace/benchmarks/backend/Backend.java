package dev.millrace.benchmarks.backend;

import dev.millrace.AcquireRequest;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;

/** An empty store that any number of processes share. */
public interface Backend extends AutoCloseable {
  /** What kind of store it is. */
  BackendKind kind();

  /**
   * The store through a client of its own, as a process has one.
   *
   * @param async whether it will be called without blocking, too: then it is an {@link AsyncStore}
   */
  BlockingStore store(boolean async);

  /** The write that a limiter sends for {@code shape}, without the limiter, on a client of one. */
  RawWrite rawWrite(AcquireRequest shape);

  @Override
  void close();
}
