package dev.millrace.llm;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * The ratios of real to counted input tokens, for models whose tokens are estimated from
 * characters. A ratio of two sums, in which an observation counts half after {@link #HALF_LIFE}
 * more.
 */
final class InputRatios {
  /** Most models that are kept. */
  static final int MAX_MODELS = 1_000;

  /** The number of further observations after which one counts half. */
  static final int HALF_LIFE = 100;

  /** Beyond this the counting is not the cause: images, or files that only have a name. */
  static final double MAX_RATIO = 4;

  private static final double DECAY = StrictMath.pow(0.5, 1.0 / HALF_LIFE);

  private final Cache<String, Sums> models = Caffeine.newBuilder().maximumSize(MAX_MODELS).build();

  private static final class Sums {
    private double counted;
    private double used;

    synchronized void add(long countedTokens, long usedTokens) {
      counted = counted * DECAY + countedTokens;
      used = used * DECAY + usedTokens;
    }

    synchronized double ratio() {
      return Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, used / counted));
    }
  }

  /** The expected real number for {@code counted} tokens, rounded up. */
  long improve(String model, long counted) {
    Sums sums = models.getIfPresent(model);
    return sums == null ? counted : (long) Math.ceil(counted * sums.ratio());
  }

  /** Learns the real number for {@code counted} tokens; zero teaches nothing. */
  void observe(String model, long counted, long used) {
    if (counted > 0 && used > 0) {
      models.get(model, key -> new Sums()).add(counted, used);
    }
  }
}
