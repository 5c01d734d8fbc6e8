package dev.millrace.benchmarks.aggregate;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes a stream on one thread: records are read, aggregated and turned into writes, which
 * nobody makes.
 */
public final class AggregateRun {
  /** The sizes of a batch that are measured. */
  public static final List<Integer> BATCHES = List.of(100, 1_000);

  private static final int RECORDS = 100_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private AggregateRun() {}

  /**
   * The result of one size of batch.
   *
   * @param writesPer1000Records of usage items, hours, days and months together
   */
  public record Figures(int batch, double recordsPerSecond, double writesPer1000Records) {}

  /** Measures each size of batch for {@code seconds}, after as long a warm-up. */
  public static List<Figures> run(int seconds) {
    List<StreamRecord> stream = new SampleStream().next(RECORDS);
    List<Figures> figures = new ArrayList<>();
    for (int batch : BATCHES) {
      measure(stream, batch, seconds);
      figures.add(measure(stream, batch, seconds));
    }
    return figures;
  }

  private static Figures measure(List<StreamRecord> stream, int batch, int seconds) {
    long records = 0;
    long writes = 0;
    long nanos = 0;
    while (nanos < seconds * NANOS_PER_SECOND) { // ends: every round takes time
      CountingUsage usage = new CountingUsage();
      // A new one each round: the last would know all of it.
      Aggregator aggregator = Aggregator.builder(usage, letters -> {}).build();
      long start = System.nanoTime();
      for (int from = 0; from < stream.size(); from += batch) {
        List<StreamRecord> next = stream.subList(from, Math.min(stream.size(), from + batch));
        BatchResult result = aggregator.process(next);
        if (result.applied() != next.size()) {
          throw new IllegalStateException("records were not applied: " + result);
        }
      }
      nanos += System.nanoTime() - start;
      records += stream.size();
      writes += usage.writes();
    }
    return new Figures(
        batch, (double) records * NANOS_PER_SECOND / nanos, 1_000.0 * writes / records);
  }
}
