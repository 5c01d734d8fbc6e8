package dev.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class BarsTest {
  @Test
  void of_isAsFullAsTheShare() {
    assertThat(Bars.of(0, 10, 4)).isEqualTo("····");
    assertThat(Bars.of(5, 10, 4)).isEqualTo("██··");
    assertThat(Bars.of(10, 10, 4)).isEqualTo("████");
    assertThat(Bars.of(1, 16, 4)).isEqualTo("▎···");
    assertThat(Bars.of(99, 10, 4)).isEqualTo("████");
    assertThat(Bars.of(-5, 10, 4)).isEqualTo("····");
    assertThat(Bars.of(1, 0, 4)).isEqualTo("····");
  }

  @Test
  void tokens_areReadable() {
    assertThat(Bars.tokens(1_234_000)).isEqualTo("1,234");
    assertThat(Bars.tokens(1_234_500)).isEqualTo("1,234.5");
    assertThat(Bars.tokens(-250_000)).isEqualTo("-250");
  }

  @Test
  void chart_ofManyPieces_addsNeighboursUp() {
    SvgChart chart = new SvgChart("<many> & more");
    for (int i = 0; i < 10 * SvgChart.MAX_BARS; i++) {
      chart.bar("rpm", Instant.ofEpochSecond(i * 3_600L), 1_000);
    }

    String svg = chart.render();

    assertThat(svg).contains("&lt;many&gt; &amp; more");
    assertThat(svg.split("<title>", -1)).hasSize(SvgChart.MAX_BARS + 1);
    assertThat(svg).contains("UTC: 10<");
    assertThat(new SvgChart("none").render()).contains("No usage in this range");
  }
}
