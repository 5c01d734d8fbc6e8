package dev.millrace.cli.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Usage as a picture: a panel for each limit, a bar for each piece of time. Plain SVG that every
 * browser shows, with the exact numbers as tooltips.
 */
public final class SvgChart {
  /** Most bars; of more, neighbours are added up into one. */
  static final int MAX_BARS = 366;

  private static final int WIDTH = 960;
  private static final int PANEL = 220;
  private static final int LEFT = 90;
  private static final int RIGHT = 20;
  private static final int TOP = 60;
  private static final int PLOT = 150;
  private static final int GRID = 4;
  private static final int LABELS = 8;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String title;
  private final Map<String, List<Bar>> panels = new TreeMap<>();

  /** A chart with nothing in it yet. */
  public SvgChart(String title) {
    this.title = title;
  }

  private record Bar(Instant start, long milli) {}

  /** Adds a bar to a limit's panel. */
  public SvgChart bar(String limit, Instant start, long milli) {
    panels.computeIfAbsent(limit, name -> new ArrayList<>()).add(new Bar(start, milli));
    return this;
  }

  /** The picture. */
  public String render() {
    int height = TOP + Math.max(1, panels.size()) * PANEL;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">%n",
            WIDTH,
            height,
            WIDTH,
            height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    text(svg, LEFT, 28, "start", "font-size=\"18\" fill=\"#1f2933\"", title);
    int top = TOP;
    for (Map.Entry<String, List<Bar>> panel : panels.entrySet()) {
      panel(svg, top, panel.getKey(), downsampled(panel.getValue()));
      top += PANEL;
    }
    if (panels.isEmpty()) {
      text(svg, LEFT, TOP + 20, "start", "fill=\"#52606d\"", "No usage in this range.");
    }
    return svg.append("</svg>\n").toString();
  }

  private static List<Bar> downsampled(List<Bar> bars) {
    List<Bar> sorted = new ArrayList<>(bars);
    sorted.sort(Comparator.comparing(Bar::start));
    int each = (sorted.size() + MAX_BARS - 1) / MAX_BARS;
    if (each <= 1) {
      return sorted;
    }
    List<Bar> fewer = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += each) {
      List<Bar> part = sorted.subList(from, Math.min(sorted.size(), from + each));
      fewer.add(new Bar(part.get(0).start(), part.stream().mapToLong(Bar::milli).sum()));
    }
    return fewer;
  }

  private static void panel(StringBuilder svg, int top, String limit, List<Bar> bars) {
    long max = Math.max(1, bars.stream().mapToLong(Bar::milli).max().orElse(1));
    text(svg, LEFT, top, "start", "font-weight=\"bold\" fill=\"#1f2933\"", limit);
    int base = top + 12 + PLOT;
    for (int line = 0; line <= GRID; line++) {
      int y = base - PLOT * line / GRID;
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#e4e7eb\"/>%n",
              LEFT,
              WIDTH - RIGHT,
              y,
              y));
      text(svg, LEFT - 8, y + 4, "end", "fill=\"#52606d\"", Bars.tokens(max / GRID * line));
    }
    double step = (double) (WIDTH - LEFT - RIGHT) / bars.size();
    int labelEach = Math.max(1, (bars.size() + LABELS - 1) / LABELS);
    for (int i = 0; i < bars.size(); i++) {
      bar(svg, bars.get(i), LEFT + i * step, step, base, max);
      if (i % labelEach == 0) {
        int x = (int) (LEFT + i * step);
        String day = TIME.format(bars.get(i).start());
        text(svg, x, base + 16, "start", "font-size=\"10\" fill=\"#52606d\"", day);
      }
    }
  }

  private static void bar(StringBuilder svg, Bar bar, double x, double step, int base, long max) {
    double height = (double) PLOT * Math.max(0, bar.milli()) / max;
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#2b6cb0\">"
                + "<title>%s UTC: %s</title></rect>%n",
            x,
            base - height,
            Math.max(0.5, step - 1),
            height,
            TIME.format(bar.start()),
            Bars.tokens(bar.milli())));
  }

  private static void text(
      StringBuilder svg, int x, int y, String anchor, String style, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>%n",
            x,
            y,
            anchor,
            style,
            escaped(text)));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
