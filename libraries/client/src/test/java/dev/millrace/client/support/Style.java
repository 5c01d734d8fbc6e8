package dev.millrace.client.support;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;

/** How a limiter's callers wait, so that each assertion is made for all. */
public enum Style {
  BLOCKING {
    @Override
    public <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      return new Caller(RateLimiter.create(store, options), /* async= */ false);
    }
  },
  /** On a store that only blocks: what is to be done at the same time is done by helpers. */
  BLOCKING_ONLY {
    @Override
    public <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      BlockingStore blocksOnly = (call, timeoutMs) -> store.execute(call, timeoutMs);
      return new Caller(RateLimiter.create(blocksOnly, options), /* async= */ false);
    }
  },
  ASYNC {
    @Override
    public <S extends BlockingStore & AsyncStore> Caller caller(S store, LimiterOptions options) {
      return new Caller(RateLimiter.createAsync(store, options), /* async= */ true);
    }
  };

  public abstract <S extends BlockingStore & AsyncStore> Caller caller(
      S store, LimiterOptions options);
}
