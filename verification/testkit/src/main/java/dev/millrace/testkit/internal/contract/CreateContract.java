package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import dev.millrace.testkit.internal.generator.ShardGen;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about creating buckets, and about their possible values. */
public interface CreateContract extends StoreUnderTest {
  /** Most millitokens of a limit. */
  long MAX_MILLI = Limit.MAX_TOKENS * Limit.MILLI;

  @ParameterizedTest
  @EnumSource
  default void create_absent_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    BucketState state = bucket.created(limit("rpm", 99_000, 1_000), limit("tpm", -7, 100_007));
    bucket.assertApplied(new WritePlan.Create(state), state);
  }

  @ParameterizedTest
  @EnumSource
  default void create_present_refusesWithWhatIsThere(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 1_000, 0));
    bucket.assertRefused(new WritePlan.Create(bucket.created(limit("tpm", 2_000, 0))));
  }

  @ParameterizedTest
  @EnumSource
  default void create_sameAgain_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 1_000, 0));
    bucket.assertRefused(new WritePlan.Create(bucket.created(limit("rpm", 1_000, 0))));
  }

  @ParameterizedTest
  @EnumSource
  default void create_keysThatDifferInOnePart_areDifferentBuckets(StorePort driver) {
    BucketKey key = new ContractBucket(this, driver).key();
    List<BucketKey> keys =
        List.of(
            key,
            new BucketKey("contract-2", key.entityId(), key.resource(), 0),
            new BucketKey(key.namespace(), key.entityId() + ".1", key.resource(), 0),
            new BucketKey(key.namespace(), key.entityId(), "gpt-4", 0),
            new BucketKey(key.namespace(), key.entityId(), key.resource(), 1),
            new BucketKey(
                key.namespace(), key.entityId(), key.resource(), BucketKey.MAX_SHARDS - 1));
    for (BucketKey each : keys) {
      BucketState state =
          new BucketState(
              each,
              1,
              List.of(limit("rpm", 5, 0)),
              Division.of(2, ShardGen.leastLevel(each.shard())),
              /* wcuMilli= */ 7,
              BucketState.NEVER,
              "op",
              ConfigStamp.CALL);
      assertThat(driver.execute(this, new StoreCall.Write(new WritePlan.Create(state))))
          .isInstanceOfSatisfying(
              StoreReply.Applied.class, reply -> assertThat(reply.state()).isEqualTo(state));
      assertThat(driver.execute(this, new StoreCall.Read(each)))
          .isInstanceOfSatisfying(
              StoreReply.Found.class, reply -> assertThat(reply.state()).isEqualTo(state));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void create_namesWithPunctuation_areKept(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver, "a-b.c_d/e");
    bucket.given(
        limit("A", 1, 0),
        limit("a", 2, 0),
        limit("a-b", 3, 0),
        limit("a.b", 4, 0),
        limit("a.b-c_d", 5, 0),
        limit("a_b", 6, 0));
  }

  /** The name of a limit must not be mistaken for a part of an attribute's name. */
  @ParameterizedTest
  @EnumSource
  default void create_namesLikeFields_areKept(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(
        limit("a", 1, 0),
        limit("a_tc", 2, 0),
        limit("a_tk", 3, 0),
        limit("b_a_tk", 4, 0),
        limit("op", 5, 0),
        limit("rf", 6, 0),
        limit("tk", 7, 0),
        limit("tk_tk", 8, 0));
  }

  @ParameterizedTest
  @EnumSource
  default void create_mostLimitsWithLongestNames_areKept(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(
        IntStream.range(0, LimitSet.MAX_LIMITS)
            .mapToObj(i -> limit((char) ('a' + i) + "_".repeat(NameRules.MAX_NAME - 1), i, -i))
            .toArray(LimitState[]::new));
  }

  @ParameterizedTest
  @EnumSource
  default void create_largestValues_areExact(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    Limit fastest = new Limit("fastest", 1, MAX_MILLI, Refill.of(MAX_MILLI, 1));
    Limit slowest = new Limit("slowest", 1, 1, Refill.of(1, Limit.MAX_PERIOD.toMillis()));
    Limit odd = Limit.custom("odd", 7, 13, Duration.ofMillis(86_399_999));
    Limit largest = new Limit("largest", MAX_MILLI - 1, MAX_MILLI, fastest.refill());
    bucket.given(
        new LimitState(fastest, MAX_MILLI, MAX_MILLI - 1),
        new LimitState(largest, Long.MAX_VALUE, Long.MIN_VALUE + 1),
        new LimitState(odd, -1, 1),
        new LimitState(slowest, -MAX_MILLI, MAX_MILLI));
  }

  @ParameterizedTest
  @EnumSource
  default void create_noExpiry_isKeptByWrites(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    BucketState state =
        new BucketState(
            bucket.key(),
            ContractBucket.REFILLED_AT_MS,
            List.of(limit("rpm", 10, 0)),
            BucketState.NEVER,
            "op");
    bucket.assertApplied(new WritePlan.Create(state), state);
    bucket.assertApplied(
        bucket.adjustExpiring(BucketState.NEVER, ContractBucket.charge("rpm", 1)),
        bucket.writtenExpiring(BucketState.NEVER, limit("rpm", 9, 1)));
  }
}
