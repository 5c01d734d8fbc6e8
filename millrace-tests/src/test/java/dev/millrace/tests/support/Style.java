package dev.millrace.tests.support;

import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;

/** How a limiter's callers wait, so that each assertion is made for both. */
public enum Style {
  BLOCKING {
    @Override
    public <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      return new BlockingCaller(RateLimiter.create(store, options));
    }
  },
  ASYNC {
    @Override
    public <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      return new AsyncCaller(AsyncRateLimiter.create(store, options));
    }
  };

  public abstract <S extends BlockingStore & AsyncStore> Caller caller(
      S store, LimiterOptions options);
}
