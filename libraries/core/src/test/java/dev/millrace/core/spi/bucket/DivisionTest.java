package dev.millrace.core.spi.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Shards;
import org.junit.jupiter.api.Test;

class DivisionTest {
  @Test
  void of_undivided_isTheOneThatIs() {
    assertThat(Division.of(1, 1)).isSameAs(Division.NONE);
    assertThat(Division.NONE.isWhole()).isTrue();
  }

  /** A bucket that should be divided and has not split yet still is the whole. */
  @Test
  void isWhole_dependsOnTheLevelAlone() {
    assertThat(Division.of(8, 1).isWhole()).isTrue();
    assertThat(Division.of(1, 2).isWhole()).isFalse();
  }

  @Test
  void with_another_keepsTheOther() {
    Division division = Division.of(8, 2);

    assertThat(division.withCount(4)).isEqualTo(Division.of(4, 2));
    assertThat(division.withCount(8)).isSameAs(division);
    assertThat(division.withLevel(4)).isEqualTo(Division.of(8, 4));
  }

  @Test
  void of_noPowerOfTwo_isRefused() {
    assertThatThrownBy(() -> Division.of(3, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shard count 3 must be a power of two from 1 to 65536");
    assertThatThrownBy(() -> Division.of(1, 6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("level 6 must be a power of two from 1 to 65536");
    assertThatThrownBy(() -> Division.of(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Division.of(1, -2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Division.of(1 << 17, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(Division.of(1 << 16, 1 << 16).level()).isEqualTo(BucketKey.MAX_SHARDS);
  }

  @Test
  void state_shardThatItsLevelDoesNotHave_isRefused() {
    assertThatThrownBy(() -> Shards.shard(2, 2, Buckets.T))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ns/key-42/gpt-4#2 cannot have the level 2: it must be above the shard");
  }

  @Test
  void state_shardOfSeveral_neverExpires() {
    assertThat(BucketState.expires(Division.of(2, 1), ConfigStamp.CALL)).isTrue();
    assertThat(BucketState.expires(Division.of(1, 2), ConfigStamp.CALL)).isFalse();
  }
}
