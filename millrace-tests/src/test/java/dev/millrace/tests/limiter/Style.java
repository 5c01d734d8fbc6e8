package dev.millrace.tests.limiter;

import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;

/** How a limiter's callers wait, so that each assertion is made for both. */
enum Style {
  BLOCKING {
    @Override
    <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      return new BlockingCaller(RateLimiter.create(store, options));
    }
  },
  ASYNC {
    @Override
    <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      return new AsyncCaller(AsyncRateLimiter.create(store, options));
    }
  };

  abstract <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options);
}
