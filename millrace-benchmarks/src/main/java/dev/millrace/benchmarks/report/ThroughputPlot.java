package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.load.Measured;
import java.util.ArrayList;
import java.util.List;

/** Answers a second over the measured time. */
final class ThroughputPlot {
  /** Where two take turns, shorter stretches would show the turns. */
  private static final long STRETCH_NANOS = 2_000_000_000;

  private static final int LINES = 4;

  private ThroughputPlot() {}

  static String of(String scenario, Measured measured) {
    Svg svg = new Svg("Requests a second of " + scenario + " over time");
    List<double[]> rates = rates(measured);
    double top = niceAbove(rates.stream().mapToDouble(rate -> rate[1]).max().orElse(1));
    double seconds = Math.max(measured.seconds(), 1e-9);
    for (int i = 0; i <= LINES; i++) {
      svg.gridY((double) i / LINES, Numbers.of(Math.round(top * i / LINES)));
      svg.gridX(
          (double) i / LINES, Numbers.rounded(Math.round(seconds * i / LINES * 10) / 10.0) + " s");
    }
    List<Svg.Point> points = new ArrayList<>();
    for (double[] rate : rates) {
      points.add(new Svg.Point(Math.min(1, rate[0] / seconds), rate[1] / top));
    }
    return svg.line(points).labelX("measured time").end();
  }

  /** Pairs of seconds and answers a second. */
  private static List<double[]> rates(Measured measured) {
    List<double[]> rates = new ArrayList<>();
    long fromNanos = 0;
    long fromRequests = 0;
    for (Measured.Sample sample : measured.samples()) {
      long tookNanos = sample.atNanos() - fromNanos;
      if (tookNanos >= STRETCH_NANOS * 95 / 100) {
        double perSecond = (sample.counts().requests() - fromRequests) * 1e9 / tookNanos;
        rates.add(new double[] {(fromNanos + tookNanos / 2.0) / 1e9, perSecond});
        fromNanos = sample.atNanos();
        fromRequests = sample.counts().requests();
      }
    }
    return rates;
  }

  /** The next of 1, 2, 4, 5 or 8 times a power of ten. */
  private static double niceAbove(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1))));
    for (double factor : new double[] {1, 2, 4, 5, 8}) {
      if (factor * power >= value) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
