package dev.millrace.benchmarks.report;

import dev.millrace.benchmarks.BenchException;
import dev.millrace.benchmarks.load.Growth;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Results as one page that needs nothing else: no script, no font, no request. */
public final class HtmlReport {
  private static final String STYLE = "report.css";

  private HtmlReport() {}

  /**
   * Writes the page.
   *
   * @param about what was run, on what and when
   */
  public static void write(Path file, String about, List<Result> results) {
    try {
      Files.writeString(file, page(about, results));
    } catch (IOException e) {
      throw new BenchException("could not write " + file + ": " + e.getMessage(), e);
    }
  }

  static String page(String about, List<Result> results) {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>Millrace benchmark</title>\n<style>\n")
        .append(style())
        .append("</style>\n</head>\n<body>\n<h1>Millrace benchmark</h1>\n<p>")
        .append(Html.escaped(about))
        .append("</p>\n");
    overview(html, results);
    results.forEach(result -> section(html, result));
    return html.append("</body>\n</html>\n").toString();
  }

  private static void overview(StringBuilder html, List<Result> results) {
    List<String> columns =
        List.of(
            "backend",
            "perSecond",
            "p50Us",
            "p99Us",
            "writesPerRequest",
            "readsPerRequest",
            "maxOverAdmission");
    html.append("<table>\n<tr><th>scenario</th>");
    columns.forEach(column -> html.append("<th>").append(column).append("</th>"));
    html.append("</tr>\n");
    for (Result result : results) {
      html.append("<tr><td><a href=\"#%1$s\">%1$s</a></td>".formatted(result.scenario()));
      for (String column : columns) {
        html.append("<td>").append(Html.escaped(Numbers.of(result.figure(column)))).append("</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</table>\n");
  }

  private static void section(StringBuilder html, Result result) {
    String name = Html.escaped(result.scenario());
    html.append("<h2 id=\"%1$s\">%1$s</h2>\n<div class=\"row\">\n".formatted(name));
    figure(html, "Latency by percentile", LatencyPlot.of(name, result.measured().latencies()));
    figure(html, "Requests a second", ThroughputPlot.of(name, result.measured()));
    html.append("</div>\n");
    result.growths().forEach((what, growth) -> growth(html, what, growth));
    html.append("<dl>\n");
    for (Map.Entry<String, Object> entry : result.figures().entrySet()) {
      html.append(
          "<div><dt>%s</dt><dd>%s</dd></div>\n"
              .formatted(Html.escaped(entry.getKey()), Html.escaped(Numbers.of(entry.getValue()))));
    }
    html.append("</dl>\n");
  }

  private static void growth(StringBuilder html, String name, Growth growth) {
    html.append("<div class=\"row\">\n");
    figure(html, name + ": admitted a second", GrowthPlot.admitted(name, growth));
    figure(html, name + ": shards", GrowthPlot.shards(name, growth));
    figure(html, name + ": writes throttled a second", GrowthPlot.throttled(name, growth));
    html.append("</div>\n");
  }

  private static void figure(StringBuilder html, String caption, String svg) {
    html.append("<figure><figcaption>%s</figcaption>%s</figure>\n".formatted(caption, svg));
  }

  private static String style() {
    try (InputStream css = HtmlReport.class.getResourceAsStream(STYLE)) {
      if (css == null) {
        throw new IllegalStateException("no resource " + STYLE);
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
