package dev.millrace.server;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.server.json.ProblemException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The limiters of a server, one per namespace, each created by the first request for it. */
public final class Limiters implements AutoCloseable {
  /** Most namespaces at a time: each limiter has a cache of its buckets. */
  public static final int MAX_NAMESPACES = 256;

  private final Function<String, RateLimiter> factory;
  private final Map<String, RateLimiter> limiters = new ConcurrentHashMap<>();

  /** Limiters that {@code factory} creates by namespace, which must be asynchronous too. */
  public Limiters(Function<String, RateLimiter> factory) {
    this.factory = factory;
  }

  public RateLimiter in(String namespace) {
    RateLimiter known = limiters.get(namespace);
    if (known != null) {
      return known;
    }
    if (limiters.size() >= MAX_NAMESPACES) {
      throw ProblemException.of(
              503, "too-many-namespaces", "This server serves too many namespaces")
          .with("most", MAX_NAMESPACES);
    }
    return limiters.computeIfAbsent(namespace, factory);
  }

  /**
   * The result of {@code call} with the limiter of {@code namespace}. The limiter of a namespace
   * that turns out to be unregistered is removed, so that it does not use up a place.
   */
  public <T> CompletionStage<T> call(
      String namespace, Function<RateLimiter, CompletionStage<T>> call) {
    return call.apply(in(namespace))
        .whenComplete(
            (result, failure) -> {
              if (failure != null
                  && HttpRefusal.unwrapped(failure) instanceof LimiterConfigurationException wrong
                  && isUnknownNamespace(wrong)) {
                Optional.ofNullable(limiters.remove(namespace)).ifPresent(RateLimiter::close);
              }
            });
  }

  /** Whether a configuration is wrong because its namespace is not registered. */
  public static boolean isUnknownNamespace(LimiterConfigurationException wrong) {
    return wrong.attributes().containsKey("namespace");
  }

  /** The limiters that exist, by namespace. */
  public Map<String, RateLimiter> all() {
    return Map.copyOf(limiters);
  }

  /** Closes all: deferred settlements are written, prefetched tokens are given back. */
  @Override
  public void close() {
    limiters.values().forEach(RateLimiter::close);
  }
}
