package dev.millrace.client.internal;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.LimiterProvider;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;

/** Creates the limiters of this module. */
public final class DefaultLimiterProvider implements LimiterProvider {
  @Override
  public RateLimiter create(BlockingStore store, LimiterOptions options) {
    return DefaultRateLimiter.create(store, options);
  }

  @Override
  public RateLimiter createAsync(AsyncStore store, LimiterOptions options) {
    return DefaultRateLimiter.createAsync(store, options);
  }
}
