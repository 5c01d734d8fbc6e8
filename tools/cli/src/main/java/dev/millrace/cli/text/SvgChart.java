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
  private final StringBuilder svg = new StringBuilder();

  /** A chart with nothing in it yet. */
  public SvgChart(String title) {
    this.title = title;
  }

  private record Bar(Instant start, long milli) {}

  /** Adds a bar to a limit's panel. */
  public void bar(String limit, Instant start, long milli) {
    panels.computeIfAbsent(limit, name -> new ArrayList<>()).add(new Bar(start, milli));
  }

  /** The picture. */
  public String render() {
    svg.setLength(0);
    int height = TOP + Math.max(1, panels.size()) * PANEL;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
            + " height=\"%2$d\" font-family=\"sans-serif\" font-size=\"12\">",
        WIDTH, height);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    text(LEFT, 28, "start", "font-size=\"18\" fill=\"#1f2933\"", title);
    int top = TOP;
    for (Map.Entry<String, List<Bar>> panel : panels.entrySet()) {
      panel(top, panel.getKey(), downsampled(panel.getValue()));
      top += PANEL;
    }
    if (panels.isEmpty()) {
      text(LEFT, TOP + 20, "start", "fill=\"#52606d\"", "No usage in this range.");
    }
    add("</svg>");
    return svg.toString();
  }

  private static List<Bar> downsampled(List<Bar> bars) {
    List<Bar> sorted = bars.stream().sorted(Comparator.comparing(Bar::start)).toList();
    int each = Math.max(1, (sorted.size() + MAX_BARS - 1) / MAX_BARS);
    List<Bar> fewer = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += each) {
      List<Bar> part = sorted.subList(from, Math.min(sorted.size(), from + each));
      fewer.add(new Bar(part.get(0).start(), part.stream().mapToLong(Bar::milli).sum()));
    }
    return fewer;
  }

  private void panel(int top, String limit, List<Bar> bars) {
    long max = Math.max(1, bars.stream().mapToLong(Bar::milli).max().orElse(1));
    text(LEFT, top, "start", "font-weight=\"bold\" fill=\"#1f2933\"", limit);
    int base = top + 12 + PLOT;
    for (int line = 0; line <= GRID; line++) {
      int y = base - PLOT * line / GRID;
      String format = "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#e4e7eb\"/>";
      add(format, LEFT, WIDTH - RIGHT, y, y);
      text(LEFT - 8, y + 4, "end", "fill=\"#52606d\"", Bars.tokens(max / GRID * line));
    }
    double step = (double) (WIDTH - LEFT - RIGHT) / bars.size();
    int labelEach = Math.max(1, (bars.size() + LABELS - 1) / LABELS);
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      double x = LEFT + i * step;
      double height = (double) PLOT * Math.max(0, bar.milli()) / max;
      String time = TIME.format(bar.start());
      add(
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#2b6cb0\">"
              + "<title>%s UTC: %s</title></rect>",
          x, base - height, Math.max(0.5, step - 1), height, time, Bars.tokens(bar.milli()));
      if (i % labelEach == 0) {
        text((int) x, base + 16, "start", "font-size=\"10\" fill=\"#52606d\"", time);
      }
    }
  }

  private void text(int x, int y, String anchor, String style, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    add("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" %s>%s</text>", x, y, anchor, style, escaped);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
