package dev.millrace.simulator;

/**
 * Numbers that look random and follow from their seed alone. Every part of a simulation draws from
 * a chance of its own, split off by name or number, so that taking one part away leaves the luck of
 * the others as it was: that is what lets a failing history be made shorter.
 */
public final class Chance {
  private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

  private final long seed;
  private long state;

  /** The chance of {@code seed}. */
  public Chance(long seed) {
    this.seed = seed;
    this.state = seed;
  }

  /** Another chance that follows from this one's seed and {@code number}, whatever was drawn. */
  public Chance split(long number) {
    return new Chance(mixed(seed ^ mixed(number + GOLDEN)));
  }

  /** Another chance that follows from this one's seed and {@code name}. */
  public Chance split(String name) {
    long hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = hash * 31 + name.charAt(i);
    }
    return split(hash);
  }

  /** Any number. */
  public long next() {
    state += GOLDEN;
    return mixed(state);
  }

  /** From 0 to {@code bound - 1}. */
  public int below(int bound) {
    return (int) below((long) bound);
  }

  /** From 0 to {@code bound - 1}. */
  public long below(long bound) {
    return Math.floorMod(next(), bound); // hardly biased: bounds are far below 64 bits
  }

  /** From {@code min} to {@code max}, both included. */
  public long between(long min, long max) {
    return min + below(max - min + 1);
  }

  /** True {@code perMille} times in a thousand. */
  public boolean perMille(int perMille) {
    return perMille > 0 && below(1_000) < perMille;
  }

  /** One of {@code choices}. */
  @SafeVarargs
  public final <T> T oneOf(T... choices) {
    return choices[below(choices.length)];
  }

  /** Mostly short, sometimes long: the mean of an exponential distribution is {@code mean}. */
  public long exponential(long mean) {
    double uniform = (next() >>> 11) * 0x1.0p-53;
    return (long) (-Math.log1p(-uniform) * mean);
  }

  private static long mixed(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
