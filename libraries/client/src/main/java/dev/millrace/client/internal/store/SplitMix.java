package dev.millrace.client.internal.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Numbers that look random, for many threads at once and at the cost of a few instructions. */
public final class SplitMix {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final AtomicLong state;

  public SplitMix(RandomGenerator seed) {
    this.state = new AtomicLong(seed.nextLong());
  }

  /** A number from 0 to below {@code bound}, which must be a power of two. */
  public int below(int bound) {
    long z = state.getAndAdd(GOLDEN);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) (z ^ (z >>> 31)) & (bound - 1);
  }
}
