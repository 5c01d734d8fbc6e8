package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The promises, kept in every history. With {@code -Dseed=N} one history is played, and told when
 * it fails; long campaigns are run with {@code ./millrace simulate}.
 */
class SeedsTest {
  /** Of every three histories one is of the kinds that came later. */
  private static final long SEEDS = 660;

  @Test
  void seeds_anyHistory_keepsEveryPromise() {
    Long seed = Long.getLong("seed");
    Campaign campaign = seed == null ? Campaign.run(0, SEEDS) : Campaign.run(seed, 1);

    assertThat(campaign.failures()).as(() -> stories(campaign)).isEmpty();
    if (seed == null) {
      assertThat(campaign.coverage().missing()).as("never seen").isEmpty();
      assertThat(campaign.acquires()).isGreaterThan(SEEDS * 100);
    }
  }

  private static String stories(Campaign campaign) {
    try (Carriers carriers = new Carriers()) {
      return campaign.failures().stream()
          .limit(1)
          .map(report -> String.join("\n", Story.of(report.seed(), carriers)))
          .collect(Collectors.joining("\n\n", "\n", "\nreplay it with -Dseed="));
    }
  }
}
