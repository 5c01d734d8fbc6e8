package dev.millrace.core.testing;

import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The books notice when they are cooked. */
class ShardBooksTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final List<BucketState> WHOLE = List.of(bucket(T, holds(RPM, 20)));
  private static final List<BucketState> HALVES = List.of(half(0, 10), half(1, 10));

  @Test
  void checkPartition_shardMissing_isNoticed() {
    assertThatCode(() -> ShardBooks.checkPartition(HALVES)).doesNotThrowAnyException();
    assertThatThrownBy(() -> ShardBooks.checkPartition(HALVES.subList(0, 1)))
        .hasMessage("rest 1 is held by 0 shards");
    assertThatThrownBy(() -> ShardBooks.checkPartition(List.of(half(0, 5), quarter(1), quarter(2))))
        .hasMessage("rest 2 is held by 2 shards");
  }

  @Test
  void checkSplit_tokensMadeOrLost_isNoticed() {
    assertThatCode(() -> split(HALVES)).doesNotThrowAnyException();
    assertThatThrownBy(() -> split(List.of(half(0, 10), half(1, 11))))
        .hasMessage("rpm stored: 21000 where there were 20000");
    assertThatThrownBy(() -> split(List.of(half(0, 10), half(1, 9))))
        .hasMessage("rpm stored: 19000 where there were 20000");
    assertThatThrownBy(() -> split(List.of(half(0, 25), half(1, -5))))
        .hasMessageStartingWith("rpm is owed in");
    assertThatThrownBy(() -> split(WHOLE)).hasMessageStartingWith("not split");
  }

  @Test
  void checkSplit_consumptionCountedTwice_isNoticed() {
    BucketState counted = Shards.shard(1, 2, T, new LimitState(RPM, 10_000, 1));

    assertThatThrownBy(() -> split(List.of(half(0, 10), counted)))
        .hasMessage("rpm consumed: 1 where there were 0");
  }

  /** The child must not claim again what its parent has claimed before. */
  @Test
  void checkSplit_timeClaimedTwice_isNoticed() {
    BucketState earlier = Shards.shard(1, 2, T - 100, holds(RPM, 10));

    assertThatThrownBy(() -> split(List.of(half(0, 10), earlier)))
        .hasMessage("rpm: 20050 where there were 20000");
    assertThatThrownBy(() -> ShardBooks.checkEstate(WHOLE, List.of(half(0, 10), earlier), true, T))
        .hasMessage("rpm: an estate of 20050 where there was one of 20000");
  }

  @Test
  void checkMerge_tokensMadeOrLost_isNoticed() {
    assertThatCode(() -> merge(20, 0)).doesNotThrowAnyException();
    assertThatCode(() -> merge(21, 1)).doesNotThrowAnyException();
    assertThatThrownBy(() -> merge(21, 0)).hasMessage("rpm: 21000 where there were 20000");
    assertThatThrownBy(() -> merge(19, 0)).hasMessage("rpm: 19000 are left of 20000");
  }

  @Test
  void checkEstate_onlyClippingLowersIt() {
    List<BucketState> less = List.of(half(0, 10), half(1, 9));

    assertThatCode(() -> ShardBooks.checkEstate(WHOLE, less, true, T)).doesNotThrowAnyException();
    assertThatThrownBy(() -> ShardBooks.checkEstate(WHOLE, less, false, T))
        .hasMessage("rpm: an estate of 19000 where there was one of 20000");
  }

  private static void split(List<BucketState> after) {
    ShardBooks.checkSplit(WHOLE, after, /* asPlanned= */ true, T);
  }

  private static void merge(long tokens, long refunded) {
    ShardBooks.checkMerge(
        HALVES, List.of(bucket(T, holds(RPM, tokens))), name -> refunded * Limit.MILLI, T);
  }

  private static BucketState half(int shard, long tokens) {
    return Shards.shard(shard, 2, T, holds(RPM, tokens));
  }

  private static BucketState quarter(int shard) {
    return Shards.shard(shard, 4, T, holds(RPM, 5));
  }
}
