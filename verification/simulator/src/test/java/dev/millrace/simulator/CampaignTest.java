package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CampaignTest {
  @Test
  void seed_fromAFirstKind_isALaterKindEachThirdTime() {
    List<Long> seeds = LongStream.range(0, 7).mapToObj(i -> Campaign.seed(40, i)).toList();

    long later = Scenario.LATER_SEEDS;
    assertThat(seeds).containsExactly(40L, 41L, later + 40, 42L, 43L, later + 41, 44L);
  }

  @Test
  void seed_fromALaterKind_isOneAfterAnother() {
    long first = Scenario.LATER_SEEDS + 5;

    assertThat(Campaign.seed(first, 0)).isEqualTo(first);
    assertThat(Campaign.seed(first, 7)).isEqualTo(first + 7);
  }

  /** Else seeds that are known to show a mutant would have other histories. */
  @Test
  void kind_firstSeeds_areTheFirstThirteenKinds() {
    Set<Scenario.Kind> kinds = EnumSet.noneOf(Scenario.Kind.class);
    for (long seed = 0; seed < 13; seed++) {
      kinds.add(Scenario.kind(seed));
      assertThat(Scenario.kind(seed + 13 * 1_000)).isEqualTo(Scenario.kind(seed));
    }

    assertThat(kinds)
        .isEqualTo(EnumSet.range(Scenario.Kind.SOLO, Scenario.Kind.DIVIDED_EVERYTHING));
  }
}
