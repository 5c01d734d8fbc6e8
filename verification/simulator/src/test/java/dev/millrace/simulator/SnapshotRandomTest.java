package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SnapshotRandomTest {
  @Test
  void nextLong_twoCopies_areTheSameUpToTheSnapshot() {
    SnapshotRandom one = copy(1);
    SnapshotRandom other = copy(2);

    assertThat(one.nextLong()).isEqualTo(other.nextLong());
    one.restored();
    other.restored();
    assertThat(one.nextLong()).isNotEqualTo(other.nextLong());
  }

  private static SnapshotRandom copy(long machine) {
    return new SnapshotRandom(new SplittableRandom(18), new SplittableRandom(machine));
  }
}
