package dev.millrace.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * A plot of one line over a grid, as SVG inside of HTML. Colours come from the page, so that it can
 * be light or dark.
 */
final class Svg {
  static final double WIDTH = 520;
  static final double HEIGHT = 260;
  private static final double LEFT = 70;
  private static final double RIGHT = 32;
  private static final double TOP = 14;
  private static final double BOTTOM = 44;

  private final StringBuilder text = new StringBuilder();

  /** A plot that says what it shows to those who cannot see it. */
  Svg(String title) {
    add(
        "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">",
        WIDTH, HEIGHT, Html.escaped(title));
  }

  /** A point in the plot: both from 0 to 1, from the left and from below. */
  record Point(double x, double y) {}

  /** A vertical line of the grid with its label below. */
  Svg gridX(double x, String label) {
    add(
        "<line class=\"grid\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$.1f\" y2=\"%3$.1f\"/>",
        toX(x), toY(0), toY(1));
    add(
        "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
        toX(x), HEIGHT - BOTTOM + 16, Html.escaped(label));
    return this;
  }

  /** A horizontal line of the grid with its label to the left. */
  Svg gridY(double y, String label) {
    add(
        "<line class=\"grid\" x1=\"%1$.1f\" x2=\"%2$.1f\" y1=\"%3$.1f\" y2=\"%3$.1f\"/>",
        toX(0), toX(1), toY(y));
    add(
        "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
        LEFT - 8, toY(y) + 4, Html.escaped(label));
    return this;
  }

  /** What the axis below shows. */
  Svg labelX(String label) {
    add(
        "<text class=\"axis\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
        (toX(0) + toX(1)) / 2, HEIGHT - 8, Html.escaped(label));
    return this;
  }

  /** The line itself. */
  Svg line(List<Point> points) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(
          String.format(
              Locale.ROOT,
              "%s%.1f %.1f",
              path.isEmpty() ? "M" : " L",
              toX(point.x()),
              toY(point.y())));
    }
    add("<path class=\"line\" d=\"%s\"/>", path);
    return this;
  }

  /** The whole plot. */
  String end() {
    return text + "</svg>";
  }

  private static double toX(double x) {
    return LEFT + x * (WIDTH - LEFT - RIGHT);
  }

  private static double toY(double y) {
    return HEIGHT - BOTTOM - y * (HEIGHT - TOP - BOTTOM);
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
