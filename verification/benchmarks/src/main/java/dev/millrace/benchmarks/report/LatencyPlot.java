package dev.millrace.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Latency by percentile. The axis stretches towards 100 %: each step to the right is a tenth of the
 * requests that are left, so that the slow ones can be seen.
 */
final class LatencyPlot {
  /** 90 %, 99 %, 99.9 %, 99.99 %. */
  private static final int NINES = 4;

  private static final int POINTS_PER_NINE = 25;

  private LatencyPlot() {}

  static String of(String scenario, Histogram latencies) {
    Svg svg = new Svg("Latency of " + scenario + " by percentile");
    double minLog = Math.floor(Math.log10(us(latencies, 0)));
    double maxLog = Math.ceil(Math.log10(us(latencies, 1 - Math.pow(10, -NINES))));
    double span = Math.max(1, maxLog - minLog);
    for (int i = 0; i <= span; i++) {
      svg.gridY(i / span, label(Math.pow(10, minLog + i)));
    }
    for (int nines = 0; nines <= NINES; nines++) {
      svg.gridX((double) nines / NINES, percent(nines));
    }
    List<Svg.Point> points = new ArrayList<>();
    for (int i = 0; i <= NINES * POINTS_PER_NINE; i++) {
      double x = (double) i / (NINES * POINTS_PER_NINE);
      double us = us(latencies, 1 - Math.pow(10, -x * NINES));
      points.add(new Svg.Point(x, (Math.log10(us) - minLog) / span));
    }
    return svg.line(points).labelX("percentile").end();
  }

  /** At least a hundredth of a microsecond, since zero has no logarithm. */
  private static double us(Histogram latencies, double fraction) {
    return Math.max(0.01, latencies.getValueAtPercentile(fraction * 100) / 1e3);
  }

  private static String percent(int nines) {
    return switch (nines) {
      case 0 -> "0 %";
      case 1 -> "90 %";
      case 2 -> "99 %";
      default -> "99." + "9".repeat(nines - 2) + " %";
    };
  }

  private static String label(double us) {
    if (us >= 1e6) {
      return Numbers.of(Math.round(us / 1e6)) + " s";
    }
    return us >= 1e3 ? Numbers.of(Math.round(us / 1e3)) + " ms" : trimmed(us) + " µs";
  }

  private static String trimmed(double us) {
    return us >= 1 ? Numbers.of(Math.round(us)) : Double.toString(Numbers.rounded(us));
  }
}
