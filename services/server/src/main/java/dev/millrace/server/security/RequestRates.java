package dev.millrace.server.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counters of the requests of many callers within the current second, in the memory of this server.
 * They protect the server and are no quota: around the turn of a second twice as many may pass.
 */
final class RequestRates {
  /** Most callers that are counted at a time; the least recent ones are forgotten. */
  private static final int MAX_COUNTED = 10_000;

  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final int maxPerSecond;

  /** The second in the high bits, the count in the low ones. */
  private final Cache<String, AtomicLong> counts =
      Caffeine.newBuilder().maximumSize(MAX_COUNTED).build();

  RequestRates(int maxPerSecond) {
    if (maxPerSecond < 1 || maxPerSecond >= COUNT_MASK) {
      throw new IllegalArgumentException(
          "rate " + maxPerSecond + " must be from 1 to " + (COUNT_MASK - 1));
    }
    this.maxPerSecond = maxPerSecond;
  }

  /** Counts one more request of {@code caller}; false if it is one too many. */
  boolean admits(String caller, Instant now) {
    long second = now.getEpochSecond() << COUNT_BITS;
    AtomicLong count = counts.get(caller, ignored -> new AtomicLong(second));
    long counted =
        count.updateAndGet(
            before -> {
              long current = (before & ~COUNT_MASK) == second ? before : second;
              return (current & COUNT_MASK) > maxPerSecond ? current : current + 1;
            });
    return (counted & COUNT_MASK) <= maxPerSecond;
  }
}
