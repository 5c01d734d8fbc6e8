package dev.millrace.benchmarks.load;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;

/** The tallies of all threads of one run. */
public final class Tallies {
  private final List<Tally> all = new CopyOnWriteArrayList<>();
  private final ThreadLocal<Tally> own = ThreadLocal.withInitial(this::add);

  /** The calling thread's own. */
  public Tally own() {
    return own.get();
  }

  private Tally add() {
    Tally tally = new Tally();
    all.add(tally);
    return tally;
  }

  /** The counts of all at this moment. */
  public Counts counts() {
    Counts sum = Counts.NONE;
    for (Tally tally : all) {
      sum = sum.plus(tally.counts());
    }
    return sum;
  }

  /** The latencies of all, once their threads have stopped. */
  public Histogram latencies() {
    Histogram sum = new Tally().latencies();
    for (Tally tally : all) {
      sum.add(tally.latencies());
    }
    return sum;
  }
}
