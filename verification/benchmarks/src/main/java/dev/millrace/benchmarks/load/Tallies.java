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
  private final List<ThreadTally> all = new CopyOnWriteArrayList<>();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
  private final ThreadLocal<ThreadTally> own = ThreadLocal.withInitial(this::add);

  /** The calling thread's own. */
  public ThreadTally own() {
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

  private ThreadTally add() {
    ThreadTally tally = new ThreadTally();
    all.add(tally);
    return tally;
  }

  /** The counts of all at this moment. */
  public AnswerCounts counts() {
    AnswerCounts sum = AnswerCounts.NONE;
    for (ThreadTally tally : all) {
      sum = sum.plus(tally.counts());
    }
    return sum;
  }

  /** The latencies of all, once their threads have stopped. */
  public Histogram latencies() {
    Histogram sum = new ThreadTally().latencies();
    for (ThreadTally tally : all) {
      sum.add(tally.latencies());
    }
    return sum;
  }
}
