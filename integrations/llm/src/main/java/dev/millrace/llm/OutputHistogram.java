package dev.millrace.llm;

/**
 * A histogram of the lengths of answers in which recent ones count more. Bins grow with the
 * logarithm of the length, so a quantile is off by at most a twelfth, in 1.3 kB. Each observation
 * weighs a little more than the one before: half as much as one that is {@link #HALF_LIFE} younger.
 * The result is the same on every machine.
 */
final class OutputHistogram {
  /** The number of further observations after which one counts half. */
  static final int HALF_LIFE = 200;

  private static final int BINS_PER_OCTAVE = 8;
  private static final int OCTAVES = 20;
  private static final int BINS = BINS_PER_OCTAVE * OCTAVES + 1;
  private static final double GROWTH = StrictMath.pow(2, 1.0 / HALF_LIFE);

  /** Far below the magnitude at which sums of such weights would lose a small one. */
  private static final double MAX_WEIGHT = 1e9;

  private final double[] weights = new double[BINS];
  private double total;
  private double next = 1;

  synchronized void observe(long tokens) {
    weights[bin(tokens)] += next;
    total += next;
    next *= GROWTH;
    if (next > MAX_WEIGHT) {
      for (int i = 0; i < BINS; i++) {
        weights[i] /= next;
      }
      total /= next;
      next = 1;
    }
  }

  /** The effective number of observations: all at first, never more than some three hundred. */
  synchronized double count() {
    return total / next * GROWTH;
  }

  /** The length that a part {@code q} of the answers did not exceed; 0 without any. */
  synchronized double quantile(double q) {
    double wanted = q * total;
    double below = 0;
    for (int i = 0; i < BINS; i++) {
      if (below + weights[i] >= wanted && weights[i] > 0) {
        double part = (wanted - below) / weights[i];
        return edge(i) + part * (edge(i + 1) - edge(i));
      }
      below += weights[i];
    }
    return 0;
  }

  private static int bin(long tokens) {
    double octaves = StrictMath.log(tokens + 1.0) / StrictMath.log(2);
    return Math.min(BINS - 1, (int) (octaves * BINS_PER_OCTAVE));
  }

  private static double edge(int bin) {
    return StrictMath.pow(2, (double) bin / BINS_PER_OCTAVE) - 1;
  }
}
