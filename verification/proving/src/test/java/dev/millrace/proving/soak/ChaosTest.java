package dev.millrace.proving.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChaosTest {
  private static final Duration EVERY = Duration.ofSeconds(8);

  private static List<Chaos.Strike> strikes(long seed, int databaseEvery) {
    Chaos chaos = new Chaos(seed, 4, EVERY, databaseEvery);
    return Stream.generate(chaos::next).limit(400).toList();
  }

  @Test
  void next_sameSeed_isTheSame() {
    assertThat(strikes(7, 4)).isEqualTo(strikes(7, 4)).isNotEqualTo(strikes(8, 4));
  }

  @Test
  void next_everyFour_haveOneDatabase() {
    List<Chaos.Strike> strikes = strikes(7, 4);

    for (int i = 0; i < strikes.size(); i += 4) {
      assertThat(strikes.subList(i, i + 4)).filteredOn(Chaos.Strike::isDatabase).hasSize(1);
    }
  }

  @Test
  void next_database_isFrozenAndKilledInTurn() {
    List<Chaos.Strike> database = strikes(7, 4).stream().filter(Chaos.Strike::isDatabase).toList();

    for (int i = 0; i < database.size(); i++) {
      assertThat(database.get(i).isFreeze()).isEqualTo(i % 2 == 0);
    }
    assertThat(strikes(7, 4)).filteredOn(Chaos.Strike::isFreeze).anyMatch(s -> s.downMs() > 4_000);
  }

  @Test
  void next_noDatabase_areWorkersOnly() {
    assertThat(strikes(7, 0)).noneMatch(Chaos.Strike::isDatabase);
    assertThat(strikes(7, 0)).extracting(Chaos.Strike::target).contains(0, 1, 2, 3);
  }

  @Test
  void next_meanTime_isWhatWasAskedFor() {
    double meanMs = strikes(7, 4).stream().mapToLong(Chaos.Strike::afterMs).average().orElseThrow();

    assertThat(meanMs).isBetween(7_000.0, 9_000.0);
  }
}
