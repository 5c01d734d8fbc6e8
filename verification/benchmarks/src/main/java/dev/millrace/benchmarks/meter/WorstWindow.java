package dev.millrace.benchmarks.meter;

/**
 * The window in which most was admitted, measured by what was allowed in it.
 *
 * <p>A window of n bins allows {@code base + n × perBin}; the ratio of two sums is to be made as
 * large as possible. Trying all windows takes quadratic time, and the window with the greatest
 * ratio is not the one with the greatest sum. But whether <em>any</em> window exceeds a ratio r is
 * a question of the greatest sum, of {@code count − r × perBin} over adjacent bins, and that takes
 * one pass. So r is raised from 0: each pass finds the window that exceeds r most, and r becomes
 * the ratio of that window, until none exceeds it (Dinkelbach, 1967). Unlike a bisection this ends
 * at the exact ratio of a window, and in fewer passes.
 */
public final class WorstWindow {
  /** Each pass gains more digits than the one before; ten were never needed. */
  private static final int MAX_PASSES = 100;

  private WorstWindow() {}

  /**
   * The greatest ratio of what was admitted in a window to what was allowed in it; 0 when nothing
   * was.
   *
   * @param counts what was admitted in each bin
   * @param base what every window allows, however short: more than 0
   * @param perBin what each bin adds to that
   */
  public static double ratio(long[] counts, double base, double perBin) {
    double ratio = 0;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      double next = ratioOfWorst(counts, base, perBin, ratio);
      if (next <= ratio) {
        return ratio;
      }
      ratio = next;
    }
    return ratio;
  }

  /** The ratio of the window with the greatest sum of {@code count − ratio × perBin}. */
  private static double ratioOfWorst(long[] counts, double base, double perBin, double ratio) {
    double best = 0;
    long bestSum = 0;
    int bestBins = 0;
    double excess = 0;
    long sum = 0;
    int bins = 0;
    for (long count : counts) {
      if (excess <= 0) {
        excess = 0;
        sum = 0;
        bins = 0;
      }
      excess += count - ratio * perBin;
      sum += count;
      bins++;
      if (excess > best) {
        best = excess;
        bestSum = sum;
        bestBins = bins;
      }
    }
    return bestSum / (base + bestBins * perBin);
  }
}
