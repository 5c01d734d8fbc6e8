package dev.millrace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.load.AnswerCounts;
import dev.millrace.benchmarks.load.Growth;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.StoreCost;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class HtmlReportTest {
  @Test
  void page_results_needsNothingFromOutside() {
    String page = HtmlReport.page("a <run>", List.of(result("hot"), result("spread")));
    assertThat(page)
        .contains("a &lt;run&gt;", "id=\"hot\"", "href=\"#spread\"", "<style>")
        .doesNotContain("http:", "https:", "<script", "<link", "src=", "url(", "@import");
  }

  @Test
  void plots_anyRun_areWellFormed() throws Exception {
    for (Result result : List.of(result("hot"), empty())) {
      parse(LatencyPlot.of("hot", result.measured().latencies()));
      String plot = ThroughputPlot.of("hot", result.measured());
      parse(plot);
      assertThat(plot).doesNotContain("NaN").doesNotContain("Infinity");
    }
  }

  @Test
  void page_growth_isPlotted() throws Exception {
    Growth growth =
        new Growth(
            List.of(
                new Growth.Second(1, 1_000, 7_000, 9_000, 8_000, 1),
                new Growth.Second(2, 8_000, 0, 8_600, 0, 16)));
    String page = HtmlReport.page("a run", List.of(result("shards").with("growth", growth)));
    assertThat(page)
        .contains("growth: admitted a second", "growth: shards", "growth: writes throttled");
    parse(GrowthPlot.admitted("growth", growth));
    parse(GrowthPlot.throttled("growth", new Growth(List.of())));
    assertThat(GrowthPlot.shards("growth", growth)).contains(">20<").doesNotContain("NaN");
  }

  private static void parse(String svg) throws Exception {
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static Result result(String name) {
    Histogram latencies = new Histogram(60_000_000_000L, 3);
    List<Measurement.Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      latencies.recordValue(i * 10_000L);
    }
    for (int i = 1; i <= 20; i++) {
      samples.add(new Measurement.Sample(i * 250_000_000L, new AnswerCounts(50L * i, 0, 0)));
    }
    Measurement measured =
        new Measurement(
            5_000_000_000L,
            new AnswerCounts(1_000, 0, 0),
            StoreCost.NONE,
            latencies,
            samples,
            Map.of());
    return Result.of(name, BackendKind.MODEL, measured, 0.5);
  }

  private static Result empty() {
    Measurement measured =
        new Measurement(
            1_000_000_000L,
            AnswerCounts.NONE,
            StoreCost.NONE,
            new Histogram(60_000_000_000L, 3),
            List.of(),
            Map.of());
    return Result.of("hot", BackendKind.MODEL, measured, 0);
  }
}
