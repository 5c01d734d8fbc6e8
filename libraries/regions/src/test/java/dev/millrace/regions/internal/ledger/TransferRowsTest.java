package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.generator.Seeds;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The law of merging: in any order, any number of times, and never less. */
class TransferRowsTest {
  @Test
  void max_anyThree_commutesAssociatesIsIdempotentAndCovers() {
    Seeds.forEach(
        500,
        (random, seed) -> {
          TransferRows a = dealings(random);
          TransferRows b = dealings(random);
          TransferRows c = dealings(random);
          assertThat(a.max(b)).isEqualTo(b.max(a));
          assertThat(a.max(b).max(c)).isEqualTo(a.max(b.max(c)));
          assertThat(a.max(a)).isEqualTo(a);
          assertThat(a.max(b).max(b)).isEqualTo(a.max(b));
          assertThat(a.max(b).covers(a)).isTrue();
          assertThat(a.max(b).covers(b)).isTrue();
        });
  }

  @Test
  void covers_oneNumberLess_isFalse() {
    TransferRows more =
        TransferRows.NONE
            .withGave("eu", new TransferRow(5, 5))
            .withGot("us", new TransferRow(1, 1));
    assertThat(more.covers(more.withGave("eu", new TransferRow(5, 6)))).isFalse();
    assertThat(more.covers(more.withGot("ap", new TransferRow(1, 0)))).isFalse();
    assertThat(more.covers(TransferRows.NONE)).isTrue();
  }

  private static TransferRows dealings(RandomGenerator random) {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    TreeMap<String, TransferRow> got = new TreeMap<>();
    for (String region : new String[] {"ap", "eu", "us"}) {
      if (random.nextBoolean()) {
        gave.put(region, new TransferRow(random.nextInt(1, 4), random.nextInt(4)));
      }
      if (random.nextBoolean()) {
        got.put(region, new TransferRow(random.nextInt(1, 4), random.nextInt(4)));
      }
    }
    return new TransferRows(gave, got);
  }
}
