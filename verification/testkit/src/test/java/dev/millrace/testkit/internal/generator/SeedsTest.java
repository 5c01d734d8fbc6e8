package dev.millrace.testkit.internal.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {
  @Test
  void forEach_noSeedNamed_runsEverySeedOnce() {
    List<Long> seeds = new ArrayList<>();
    Seeds.forEach(3, null, (random, seed) -> seeds.add(seed));
    assertThat(seeds).containsExactly(0L, 1L, 2L);
  }

  @Test
  void forEach_failure_namesItsSeed() {
    assertThatThrownBy(
            () -> Seeds.forEach(100, null, (random, seed) -> assertThat(seed).isLessThan(42)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("seed 42 failed, -Dseed=42 replays it: ")
        .hasCauseInstanceOf(AssertionError.class);
  }

  @Test
  void forEach_exception_namesItsSeed() {
    assertThatThrownBy(
            () ->
                Seeds.forEach(
                    1,
                    null,
                    (random, seed) -> {
                      throw new IllegalStateException("bang");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessage("seed 0 failed, -Dseed=0 replays it: bang")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void forEach_seedNamed_replaysThatOneAlone() {
    List<Long> numbers = new ArrayList<>();
    Seeds.forEach(8, null, (random, seed) -> numbers.add(random.nextLong()));
    List<Long> replayed = new ArrayList<>();
    Seeds.forEach(8, 5L, (random, seed) -> replayed.add(random.nextLong()));
    assertThat(replayed).containsExactly(numbers.get(5));
  }

  @Test
  void forEachSeed_propertySet_replaysThatOneAlone() {
    String before = System.getProperty(Seeds.PROPERTY);
    List<Long> seeds = new ArrayList<>();
    System.setProperty(Seeds.PROPERTY, "77");
    try {
      Gen.forEachSeed(3, (random, seed) -> seeds.add(seed));
    } finally {
      if (before == null) {
        System.clearProperty(Seeds.PROPERTY);
      } else {
        System.setProperty(Seeds.PROPERTY, before);
      }
    }
    assertThat(seeds).containsExactly(77L);
  }
}
