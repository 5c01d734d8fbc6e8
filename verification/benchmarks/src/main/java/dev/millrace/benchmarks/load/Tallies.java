package dev.millrace.benchmarks.load;

import dev.millrace.LimiterUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/** The tallies of all threads of one run. */
public final class Tallies {
  private final List<Tally> all = new CopyOnWriteArrayList<>();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
  private final ThreadLocal<Tally> own = ThreadLocal.withInitial(this::add);

  /** The calling thread's own. */
  public Tally own() {
    return own.get();
  }

  /** A request of the calling thread could not be decided. */
  public void failed(LimiterUnavailableException failure) {
    own().failed();
    String kind = String.valueOf(failure.attributes().get("failure"));
    failures.computeIfAbsent(kind, name -> new LongAdder()).increment();
  }

  /** How many requests could not be decided so far, by the sort of failure. */
  public Map<String, Long> failures() {
    Map<String, Long> counts = new TreeMap<>();
    failures.forEach((kind, count) -> counts.put(kind, count.sum()));
    return counts;
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
