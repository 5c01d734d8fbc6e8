package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.load.Measurement;
import java.util.ArrayList;
import java.util.List;

/** Answers a second over the measured time. */
final class ThroughputPlot {
  /** Where two take turns, shorter stretches would show the turns. */
  private static final long STRETCH_NANOS = 2_000_000_000;

  private ThroughputPlot() {}

  static String of(String scenario, Measurement measured) {
    return TimePlot.of(
        "Requests a second of " + scenario + " over time", rates(measured), measured.seconds());
  }

  private static List<TimePlot.At> rates(Measurement measured) {
    List<TimePlot.At> rates = new ArrayList<>();
    long fromNanos = 0;
    long fromRequests = 0;
    for (Measurement.Sample sample : measured.samples()) {
      long tookNanos = sample.atNanos() - fromNanos;
      if (tookNanos >= STRETCH_NANOS * 95 / 100) {
        double perSecond = (sample.counts().requests() - fromRequests) * 1e9 / tookNanos;
        rates.add(new TimePlot.At((fromNanos + tookNanos / 2.0) / 1e9, perSecond));
        fromNanos = sample.atNanos();
        fromRequests = sample.counts().requests();
      }
    }
    return rates;
  }
}
