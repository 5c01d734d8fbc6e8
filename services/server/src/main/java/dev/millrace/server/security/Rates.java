package dev.millrace.server.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often each of many has come within this second. In memory, for this server alone, and rough:
 * at the turn of a second twice as many may pass. It protects the server, not a quota.
 */
final class Rates {
  /** Most that are counted at a time; those who came least lately are forgotten. */
  static final int MAX_COUNTED = 10_000;

  private static final int COUNT_BITS = 24;
  private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;

  private final int mostPerSecond;

  /** The second in the high bits, the count in the low ones. */
  private final Cache<String, AtomicLong> counts =
      Caffeine.newBuilder().maximumSize(MAX_COUNTED).build();

  Rates(int mostPerSecond) {
    if (mostPerSecond < 1 || mostPerSecond >= COUNT_MASK) {
      throw new IllegalArgumentException(
          "rate " + mostPerSecond + " must be from 1 to " + (COUNT_MASK - 1));
    }
    this.mostPerSecond = mostPerSecond;
  }

  /** Counts one more of {@code who}; whether it is not too many. */
  boolean admits(String who, Instant now) {
    long second = now.getEpochSecond() << COUNT_BITS;
    AtomicLong count = counts.get(who, ignored -> new AtomicLong(second));
    long counted =
        count.updateAndGet(
            before -> {
              long current = (before & ~COUNT_MASK) == second ? before : second;
              return (current & COUNT_MASK) > mostPerSecond ? current : current + 1;
            });
    return (counted & COUNT_MASK) <= mostPerSecond;
  }
}
