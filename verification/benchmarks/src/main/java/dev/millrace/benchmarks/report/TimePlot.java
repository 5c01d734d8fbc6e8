package dev.millrace.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Something over the measured time. */
final class TimePlot {
  private static final int LINES = 4;

  private TimePlot() {}

  /** A value at a moment of the measured time. */
  record At(double seconds, double value) {}

  static String of(String title, List<At> values, double seconds) {
    Svg svg = new Svg(title);
    double top = niceAbove(values.stream().mapToDouble(At::value).max().orElse(1));
    double length = Math.max(seconds, 1e-9);
    for (int i = 0; i <= LINES; i++) {
      svg.gridY((double) i / LINES, Numbers.of(Math.round(top * i / LINES)));
      svg.gridX(
          (double) i / LINES, Numbers.rounded(Math.round(length * i / LINES * 10) / 10.0) + " s");
    }
    List<Svg.Point> points = new ArrayList<>();
    for (At at : values) {
      points.add(new Svg.Point(Math.min(1, at.seconds() / length), at.value() / top));
    }
    return svg.line(points).labelX("measured time").end();
  }

  /** The next of 1, 2, 4, 5 or 8 times a power of ten; at least one for each line. */
  private static double niceAbove(double value) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(value, 1))));
    for (double factor : new double[] {1, 2, 4, 5, 8}) {
      if (factor * power >= Math.max(value, LINES)) {
        return factor * power;
      }
    }
    return 10 * power;
  }
}
