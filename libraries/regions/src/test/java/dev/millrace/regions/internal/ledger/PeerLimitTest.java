package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.generator.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PeerLimitTest {
  @Test
  void merge_anySnapshotsInAnyOrderAnyNumberOfTimes_comesToTheSame() {
    Seeds.forEach(
        500,
        (random, seed) -> {
          List<PeerLimit> told = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            told.add(told(random));
          }
          PeerLimit all = merged(told);
          told.addAll(told.subList(0, 3));
          Collections.shuffle(told, new java.util.Random(seed));
          assertThat(merged(told)).isEqualTo(all);
          assertThat(all.merge(all)).isEqualTo(all);
          for (PeerLimit one : told) {
            assertThat(all.dealings().covers(one.dealings())).isTrue();
            assertThat(all.latest().sequence()).isGreaterThanOrEqualTo(one.latest().sequence());
          }
          PeerLimit left = merged(told.subList(0, 4));
          PeerLimit right = merged(told.subList(4, told.size()));
          assertThat(left.merge(right)).isEqualTo(right.merge(left)).isEqualTo(all);
        });
  }

  @Test
  void consumed_twoSnapshots_isTheirDifference() {
    PeerLimit first =
        PeerLimit.of(TransferRows.NONE, new PeerLimit.Gauges(1, 1_000, 500, 9, 9, 9, 0));
    PeerLimit both =
        first.merge(
            PeerLimit.of(TransferRows.NONE, new PeerLimit.Gauges(2, 3_000, 800, 9, 9, 9, 1)));
    assertThat(both.consumedMilli()).isEqualTo(300);
    assertThat(both.elapsedMs()).isEqualTo(2_000);
    assertThat(both.wasRefused()).isTrue();
    assertThat(first.consumedMilli()).isZero();
    assertThat(first.elapsedMs()).isZero();
  }

  private static PeerLimit merged(List<PeerLimit> told) {
    return told.stream().reduce(PeerLimit::merge).orElseThrow();
  }

  private static PeerLimit told(RandomGenerator random) {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    gave.put("eu", new TransferRow(random.nextInt(4), random.nextInt(4)));
    int sequence = random.nextInt(4);
    PeerLimit.Gauges gauges =
        new PeerLimit.Gauges(sequence, sequence * 10L, random.nextInt(3), 0, 0, 0, 0);
    return PeerLimit.of(new TransferRows(gave, new TreeMap<>()), gauges);
  }
}
