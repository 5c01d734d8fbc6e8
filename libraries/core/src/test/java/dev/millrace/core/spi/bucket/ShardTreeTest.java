package dev.millrace.core.spi.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.Shards;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardTreeTest {
  @Test
  void path_goesFromTheFirstShardToItself() {
    assertThat(ShardTree.path(0)).containsExactly(0);
    assertThat(ShardTree.path(1)).containsExactly(0, 1);
    assertThat(ShardTree.path(6)).containsExactly(0, 2, 6);
    assertThat(ShardTree.path(63)).containsExactly(0, 1, 3, 7, 15, 31, 63);
    assertThat(ShardTree.path(BucketKey.MAX_SHARDS - 1)).hasSize(17);
  }

  @Test
  void path_eachIsTheParentOfTheNext() {
    for (int shard = 0; shard < 1_024; shard++) {
      List<Integer> path = ShardTree.path(shard);
      assertThat(path.get(path.size() - 1)).isEqualTo(shard);
      for (int i = 1; i < path.size(); i++) {
        assertThat(Buckets.KEY.withShard(path.get(i)).parentShard())
            .isEqualTo(Buckets.KEY.withShard(path.get(i - 1)));
      }
    }
  }

  @Test
  void parentShard_ofTheFirst_isRefused() {
    assertThatThrownBy(Buckets.KEY::parentShard)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("ns/key-42/gpt-4#0 was not split off another shard");
  }

  /** The share of a shard that is not there yet is within that of its holder. */
  @Test
  void holder_anySplits_isTheOneThatHoldsTheShare() {
    Laws.check(
        500,
        gen -> {
          List<ShardShare> shares = Shards.random(gen, (int) gen.between(0, 30), 64);
          Map<Integer, Integer> levels = new HashMap<>();
          shares.forEach(share -> levels.put(share.shard(), share.level()));
          for (int drawn = 0; drawn < 64; drawn++) {
            int holder = ShardTree.holder(drawn, shard -> levels.getOrDefault(shard, 0));
            assertThat(levels).containsKey(holder);
            assertThat(drawn % levels.getOrDefault(holder, 0)).isEqualTo(holder);
          }
        });
  }

  @Test
  void holder_nothingKnown_isTheFirst() {
    assertThat(ShardTree.holder(5, shard -> 0)).isZero();
  }

  /** One that was not seen cannot be told from one that is not there. */
  @Test
  void holder_partlyKnown_isTheLastOnThePathThatIsKnown() {
    Map<Integer, Integer> levels = Map.of(0, 8, 5, 8);

    assertThat(ShardTree.holder(5, shard -> levels.getOrDefault(shard, 0))).isZero();
  }

  /** A shard that was read a moment after its parent: the parent's level says it is not there. */
  @Test
  void holder_childBeyondTheLevelOfItsParent_isTheParent() {
    Map<Integer, Integer> levels = Map.of(0, 1, 1, 2);

    assertThat(ShardTree.holder(1, shard -> levels.getOrDefault(shard, 0))).isZero();
  }
}
