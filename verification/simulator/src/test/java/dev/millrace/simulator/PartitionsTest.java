package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionsTest {
  private static final long SECOND = 1_000_000_000;
  private static final BucketKey KEY = BucketKey.first("test", "key", "chat");

  private static StoreCall write(int shard) {
    return new StoreCall.Write(
        new WritePlan.Adjust(KEY.withShard(shard), List.of(), /* expiresAtSeconds= */ 0, "op"));
  }

  private static StoreCall transaction(int... shards) {
    List<WritePlan> plans =
        Arrays.stream(shards)
            .<WritePlan>mapToObj(
                shard -> new WritePlan.Adjust(KEY.withShard(shard), List.of(), 0, "op"))
            .toList();
    return new StoreCall.Transaction(plans, List.of(), "token");
  }

  @Test
  void bears_asManyAsThereAreUnits_andAgainWhenTimeHasPassed() {
    Partitions partitions = new Partitions(3);

    assertThat(partitions.bears(write(0), 0)).isTrue();
    assertThat(partitions.bears(write(0), 0)).isTrue();
    assertThat(partitions.bears(write(0), 0)).isTrue();
    assertThat(partitions.bears(write(0), 0)).isFalse();
    assertThat(partitions.bears(write(0), SECOND / 3)).isFalse();
    assertThat(partitions.bears(write(0), SECOND / 3 + 1)).isTrue();
    assertThat(partitions.bears(write(0), SECOND / 3 + 1)).isFalse();
  }

  @Test
  void bears_idleForLong_keepsNoMoreThanASecond() {
    Partitions partitions = new Partitions(1);

    assertThat(partitions.bears(write(0), 0)).isTrue();
    assertThat(partitions.bears(write(0), 100 * SECOND)).isTrue();
    assertThat(partitions.bears(write(0), 100 * SECOND)).isFalse();
  }

  @Test
  void bears_transaction_costsTwiceAndOfEveryShardOrOfNone() {
    Partitions partitions = new Partitions(3);

    assertThat(partitions.bears(transaction(0, 1), 0)).isTrue();
    assertThat(partitions.bears(transaction(1, 2), 0)).isFalse();
    assertThat(partitions.bears(transaction(2), 0)).isTrue();
    assertThat(partitions.bears(write(0), 0)).isTrue();
    assertThat(partitions.bears(write(0), 0)).isFalse();
  }

  @Test
  void bears_moreThanAPartitionEverHas_needsAllOfIt() {
    Partitions partitions = new Partitions(1);

    assertThat(partitions.bears(transaction(0), 0)).isTrue();
    assertThat(partitions.bears(transaction(0), 0)).isFalse();
    assertThat(partitions.bears(transaction(0), SECOND)).isTrue();
  }

  @Test
  void bears_readsAndNoLimit_everything() {
    assertThat(new Partitions(1).bears(new StoreCall.Read(KEY), 0)).isTrue();
    Partitions unlimited = new Partitions(Partitions.UNLIMITED);
    for (int i = 0; i < 100; i++) {
      assertThat(unlimited.bears(write(0), 0)).isTrue();
    }
  }
}
