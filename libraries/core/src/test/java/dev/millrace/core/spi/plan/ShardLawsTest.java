package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.ShardBooks;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** P6: splitting and merging neither makes nor loses a millitoken, whatever else is written. */
class ShardLawsTest {
  private static final int HISTORIES = 2_000;
  private static final int WRITES = 30;
  private static final int JOURNEYS = 30;

  /** So much that no shard of 64 is ever full. */
  private static final long PLENTY_MILLI = 1_000_000_000_000_000L;

  @Test
  void history_splitsMergesAndWritesOfStaleCopies_keepsTheBooks() {
    Map<String, Integer> counts = new TreeMap<>();
    int ran =
        Laws.check(
            HISTORIES,
            gen -> {
              ShardHistory history =
                  new ShardHistory(
                      gen, /* charges= */ gen.oneIn(2), /* changesLimits= */ gen.oneIn(2));
              history.run(WRITES);
              history.counts.forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
            });
    if (ran == HISTORIES) {
      assertThat(counts)
          .as("every kind was made and refused")
          .containsKeys(
              "split made",
              "split refused",
              "racer refused",
              "merge made",
              "merge refused",
              "locked made",
              "locked refused",
              "consume made",
              "consume refused",
              "resize made",
              "resize refused",
              "adjust made",
              "adjust refused");
      assertThat(counts.getOrDefault("merge made", 0)).isGreaterThan(HISTORIES);
    }
  }

  /** What was granted and earned is there, or was consumed: to the millitoken. */
  @Test
  void history_fromOneToSixtyFourAndBack_leavesTheLedgerExact() {
    Laws.check(
        JOURNEYS,
        gen -> {
          Limit limit = new Limit("a", PLENTY_MILLI, PLENTY_MILLI, gen.refill());
          long startMilli = gen.between(-1_000_000, 1_000_000);
          ShardHistory history = new ShardHistory(gen, new LimitState(limit, startMilli, 0));

          BucketState after = history.thereAndBack(64, /* mostStepMs= */ 20);

          assertThat(after.division()).isEqualTo(Division.NONE);
          assertThat(history.shards()).containsExactly(after);
          LimitState left = Objects.requireNonNull(after.find("a"));
          assertThat(left.tokensMilli() + left.consumedMilli())
              .isEqualTo(startMilli + limit.refill().creditMilli(T, after.refilledAtMs()));
        });
  }

  /** Also where all is full, and where there are more shards than millitokens. */
  @Test
  void history_noTimePasses_isTheSameBucketAgain() {
    Laws.check(
        JOURNEYS,
        gen -> {
          long burstMilli = gen.scaled(100_000);
          Limit limit = new Limit("a", burstMilli, burstMilli, gen.refill());
          long startMilli = gen.oneIn(2) ? burstMilli : gen.between(-burstMilli, 2 * burstMilli);
          ShardHistory history = new ShardHistory(gen, new LimitState(limit, startMilli, 7));

          BucketState after = history.thereAndBack(64, /* mostStepMs= */ 0);

          assertThat(after.refilledAtMs()).isEqualTo(T);
          assertThat(after.limits())
              .as("what a refund lifted above the ceiling is clipped")
              .containsExactly(new LimitState(limit, Math.min(startMilli, burstMilli), 7));
        });
  }

  /** A caller who was refused by none before is refused by none after. */
  @Test
  void history_fullBucket_staysFullThroughSplitsAndMerges() {
    Laws.check(
        JOURNEYS,
        gen -> {
          long burstMilli = gen.scaled(100_000);
          Limit limit = new Limit("a", burstMilli, burstMilli, gen.refill());
          ShardHistory history = new ShardHistory(gen, new LimitState(limit, burstMilli, 0));
          history.splitAndMerge(100);

          assertThat(ShardBooks.claimedMilli(history.shards(), "a", history.nowMs()))
              .isEqualTo(burstMilli);
        });
  }
}
