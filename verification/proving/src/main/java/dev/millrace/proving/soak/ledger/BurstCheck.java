package dev.millrace.proving.soak.ledger;

import dev.millrace.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Checks that in every interval of length t at most {@code burst + rate × (t + Δ)} was admitted,
 * less what was given back in it.
 *
 * <p>When within its own duration an operation was charged, nobody can know. So an admission counts
 * for an interval only when the whole operation lies in it, and a refund counts for every interval
 * that its operation touches: an excess is one whatever the moments were. All clocks are those of
 * one machine, so there is no skew to allow for.
 *
 * <p>All intervals are looked at. They are swept by their ends; a tree keeps, for each beginning,
 * what was admitted since then less what may be, and tells the worst beginning.
 */
final class BurstCheck {
  /** Times are whole milliseconds, cut off. */
  private static final long CUT_OFF_MS = 1;

  private BurstCheck() {}

  /**
   * The interval that exceeds the bound most, or comes nearest to it.
   *
   * @param excessMilli how much more was admitted than is allowed; negative when there was room
   */
  record Worst(long excessMilli, long fromMs, long toMs) {}

  private record Change(long atMs, boolean gives, long untilBeginningMs, long milli) {}

  /** The worst interval, or an excess of minus the burst when nothing was ever admitted. */
  static Worst of(Admissions admissions, Limit limit, long grainMs) {
    List<Change> changes = new ArrayList<>(admissions.size());
    long[] beginnings = new long[admissions.size()];
    int admitted = 0;
    for (int i = 0; i < admissions.size(); i++) {
      long milli = admissions.milli(i);
      if (milli > 0) {
        long endMs = admissions.latestMs(i) + CUT_OFF_MS;
        changes.add(new Change(endMs, false, admissions.earliestMs(i), milli));
        beginnings[admitted++] = admissions.earliestMs(i);
      } else if (milli < 0) {
        long lastMs = admissions.latestMs(i) + CUT_OFF_MS;
        changes.add(new Change(admissions.earliestMs(i), true, lastMs, milli));
      }
    }
    if (admitted == 0) {
      return new Worst(-limit.burstMilli(), 0, 0);
    }
    // Refunds first: what is given back may be admitted within the same millisecond.
    changes.sort(Comparator.comparingLong(Change::atMs).thenComparing(change -> !change.gives()));
    return sweep(changes, distinct(beginnings, admitted), limit, grainMs);
  }

  private static Worst sweep(List<Change> changes, long[] beginnings, Limit limit, long grainMs) {
    long amount = limit.refill().amountMilli();
    long period = limit.refill().periodMs();
    long baseMs = beginnings[0];
    // Everything is multiplied by the period, so that nothing is ever divided.
    long[] initial = new long[beginnings.length];
    for (int i = 0; i < initial.length; i++) {
      initial[i] = Math.multiplyExact(amount, beginnings[i] - baseMs);
    }
    PrefixMaxTree sums = new PrefixMaxTree(initial);
    // One millitoken for the floors at both ends of the interval.
    long allowed =
        Math.addExact(
            Math.multiplyExact(period, limit.burstMilli() + 1),
            Math.multiplyExact(amount, grainMs));
    Worst worst = new Worst(Long.MIN_VALUE, 0, 0);
    for (Change change : changes) {
      int until = countUpTo(beginnings, change.untilBeginningMs());
      sums.add(until, Math.multiplyExact(period, change.milli()));
      if (!change.gives()) {
        int candidates = countUpTo(beginnings, change.atMs());
        long sum = sums.max(candidates) - Math.multiplyExact(amount, change.atMs() - baseMs);
        long excess = -Math.floorDiv(allowed - sum, period); // up: no excess is rounded away
        if (excess > worst.excessMilli()) {
          worst = new Worst(excess, beginnings[sums.argMax(candidates)], change.atMs());
        }
      }
    }
    return worst;
  }

  private static long[] distinct(long[] values, int count) {
    return java.util.Arrays.stream(values, 0, count).sorted().distinct().toArray();
  }

  /** How many of the sorted values are at most {@code limit}. */
  private static int countUpTo(long[] sorted, long limit) {
    int found = java.util.Arrays.binarySearch(sorted, limit);
    return found >= 0 ? found + 1 : -found - 1;
  }
}
