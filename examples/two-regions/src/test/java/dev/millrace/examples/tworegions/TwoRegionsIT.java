package dev.millrace.examples.tworegions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.examples.testing.Printed;
import java.util.List;
import org.junit.jupiter.api.Test;

class TwoRegionsIT {
  @Test
  void show_loadMoves_rightsFollowAndTheSumStaysWithinTheQuota() throws Exception {
    Printed printed = new Printed();
    List<List<Window>> phases = Main.show(printed.out());
    String text = printed.text();

    assertThat(last(phases.get(0)).eu().sharePpm())
        .as(text)
        .isGreaterThanOrEqualTo(Main.FOLLOWED_PPM);
    assertThat(last(phases.get(1)).us().sharePpm())
        .as(text)
        .isGreaterThanOrEqualTo(Main.FOLLOWED_PPM);
    for (Window window : phases.stream().flatMap(List::stream).toList()) {
      assertThat(window.admitted()).as(text).isLessThanOrEqualTo(window.quota());
      assertThat(window.eu().sharePpm() + window.us().sharePpm())
          .as(text)
          .isLessThanOrEqualTo(1_000_000);
    }
    assertThat(last(phases.get(1)).admitted()).as("something was admitted").isPositive();
    assertThat(text)
        .contains("The load is in eu", "The load moves to us", "Both together admitted");
  }

  private static Window last(List<Window> windows) {
    return windows.get(windows.size() - 1);
  }
}
