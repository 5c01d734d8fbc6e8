package dev.millrace.core.spi;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import java.util.Iterator;
import java.util.ServiceLoader;

/**
 * The implementation behind {@link RateLimiter}, found on the class path with {@link
 * ServiceLoader}. {@code millrace-client} brings the only one; this interface lets applications use
 * one package for values and limiter, while the values stay in a module without an implementation.
 */
public interface LimiterProvider {
  /** See {@link RateLimiter#create}. */
  RateLimiter create(BlockingStore store, LimiterOptions options);

  /** See {@link RateLimiter#createAsync}. */
  RateLimiter createAsync(AsyncStore store, LimiterOptions options);

  /** The provider on the class path. */
  static LimiterProvider installed() {
    // The loader of this class, not the thread's: containers give threads loaders of other
    // programs.
    Iterator<LimiterProvider> found =
        ServiceLoader.load(LimiterProvider.class, LimiterProvider.class.getClassLoader())
            .iterator();
    if (!found.hasNext()) {
      throw new IllegalStateException(
          "no rate limiter on the class path: add dev.millrace:millrace-client");
    }
    return found.next();
  }
}
