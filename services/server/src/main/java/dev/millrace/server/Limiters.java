package dev.millrace.server;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.server.problem.ProblemException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * A limiter for each namespace that is asked for, made at its first request. There are as many as
 * {@link #MAX_NAMESPACES} allows, because each keeps what it knows of its buckets.
 */
public final class Limiters implements AutoCloseable {
  /** Most namespaces that one server serves at a time. */
  public static final int MAX_NAMESPACES = 256;

  private final BlockingStore store;
  private final Function<String, LimiterOptions> options;
  private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();

  /**
   * Limiters on {@code store}, which must have both clients.
   *
   * @param options by namespace
   */
  public Limiters(BlockingStore store, Function<String, LimiterOptions> options) {
    this.store = store;
    this.options = options;
  }

  /** The limiter of {@code namespace}. */
  public RateLimiter in(String namespace) {
    RateLimiter known = limiters.get(namespace);
    if (known != null) {
      return known;
    }
    if (limiters.size() >= MAX_NAMESPACES) {
      throw new ProblemException(
          HttpProblem.of(503, "too-many-namespaces", "This server serves too many namespaces")
              .with("most", MAX_NAMESPACES));
    }
    return limiters.computeIfAbsent(
        namespace, name -> RateLimiter.create(store, options.apply(name)));
  }

  /**
   * Forgets the limiter of a namespace that turned out not to be: names that nobody registered must
   * not use up the places of those that somebody did.
   */
  public void forget(String namespace) {
    RateLimiter unknown = limiters.remove(namespace);
    if (unknown != null) {
      unknown.close();
    }
  }

  /** Those that were made so far. */
  public Map<String, RateLimiter> all() {
    return Map.copyOf(limiters);
  }

  /** Closes all: deferred settlements are written, tokens taken ahead are given back. */
  @Override
  public void close() {
    limiters.values().forEach(RateLimiter::close);
  }
}
