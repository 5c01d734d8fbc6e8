package dev.millrace.benchmarks.peers;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.load.Ask;
import java.util.List;
import java.util.function.Function;

/** A limiter of ours on some store. */
final class Ours implements Peer {
  private final String name;
  private final Scope scope;
  private final Function<LimiterOptions, RateLimiter> limiters;

  Ours(String name, Scope scope, Function<LimiterOptions, RateLimiter> limiters) {
    this.name = name;
    this.scope = scope;
    this.limiters = limiters;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Scope scope() {
    return scope;
  }

  @Override
  public Ask ask(List<String> keys) {
    RateLimiter limiter = limiters.apply(LimiterOptions.defaults());
    return KeyedLimiters.of(
        keys,
        key ->
            AcquireRequest.of(key, "api")
                .limits(Limit.perSecond("requests", PER_SECOND))
                .consume("requests", 1),
        request -> {
          if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
            granted.lease().close();
            return true;
          }
          return false;
        });
  }
}
