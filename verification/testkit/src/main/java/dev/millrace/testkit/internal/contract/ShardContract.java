package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlan.Parameters;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about shards, their levels and how many there should be. */
public interface ShardContract extends StoreUnderTest {
  /** A later refill timestamp. */
  long LATER_MS = REFILLED_AT_MS + 1_000;

  /** {@code state} as one shard of several, which do not expire. */
  static BucketState divided(BucketState state, Division division) {
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        state.limits(),
        division,
        state.wcuMilli(),
        BucketState.NEVER,
        state.op(),
        state.stamp());
  }

  /** A locked write to a shard of {@code level}. */
  static WritePlan.Locked locked(
      BucketKey key, int level, Parameters parameters, LimitChange... changes) {
    return new WritePlan.Locked(
        key,
        REFILLED_AT_MS,
        level,
        LATER_MS,
        List.of(changes),
        parameters,
        /* addWcuMilli= */ 0,
        BucketState.NEVER,
        "op-write");
  }

  /** A consuming write to a shard of {@code level}. */
  static WritePlan.Consume consume(BucketKey key, int level, LimitChange... changes) {
    return new WritePlan.Consume(
        key,
        REFILLED_AT_MS,
        level,
        List.of(changes),
        /* addWcuMilli= */ 0,
        BucketState.NEVER,
        "op-write");
  }

  private static WritePlan.Resize resize(ContractBucket bucket, int expectedCount, int count) {
    return new WritePlan.Resize(
        bucket.key(), expectedCount, count, /* addWcuMilli= */ 0, "op-write");
  }

  /** Creates a bucket of that division with one limit of 40 millitokens. */
  private static void given(ContractBucket bucket, Division division) {
    BucketState state = divided(bucket.created(limit("a", 40, 1)), division);
    bucket.assertApplied(new WritePlan.Create(state), state);
  }

  @ParameterizedTest
  @EnumSource
  default void create_everyLevelAndCount_isKept(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    for (int level = 1; level <= BucketKey.MAX_SHARDS; level *= 2) {
      BucketState state =
          new BucketState(
              bucket.key().withShard(level - 1),
              REFILLED_AT_MS,
              List.of(limit("a", 40, 1)),
              Division.of(BucketKey.MAX_SHARDS / level, level),
              /* wcuMilli= */ -level,
              BucketState.NEVER,
              "op",
              ConfigStamp.CALL);
      assertThat(driver.execute(this, new StoreCall.Write(new WritePlan.Create(state))))
          .isInstanceOfSatisfying(
              StoreReply.Applied.class, reply -> assertThat(reply.state()).isEqualTo(state));
      assertThat(driver.execute(this, new StoreCall.Read(state.key())))
          .isInstanceOfSatisfying(
              StoreReply.Found.class, reply -> assertThat(reply.state()).isEqualTo(state));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void locked_otherLevel_isRefused(StorePort driver) {
    ContractBucket part = new ContractBucket(this, driver);
    given(part, Division.of(4, 4));
    for (int level : new int[] {1, 2, 8, BucketKey.MAX_SHARDS}) {
      part.assertRefused(locked(part.key(), level, Parameters.UNCHANGED, take("a", 1)));
    }
    part.assertApplied(
        locked(part.key(), 4, Parameters.UNCHANGED, take("a", 1)),
        divided(part.written(LATER_MS, limit("a", 39, 2)), Division.of(4, 4)));
    ContractBucket whole = new ContractBucket(this, driver);
    given(whole, Division.of(4, 1));
    whole.assertRefused(locked(whole.key(), 2, Parameters.UNCHANGED, take("a", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_otherLevel_isRefused(StorePort driver) {
    ContractBucket part = new ContractBucket(this, driver);
    given(part, Division.of(4, 4));
    for (int level : new int[] {1, 2, 8, BucketKey.MAX_SHARDS}) {
      part.assertRefused(consume(part.key(), level, take("a", 1)));
      part.assertRefused(consume(part.key(), level));
    }
    part.assertApplied(
        consume(part.key(), 4, take("a", 1)),
        divided(part.written(REFILLED_AT_MS, limit("a", 39, 2)), Division.of(4, 4)));
    ContractBucket whole = new ContractBucket(this, driver);
    given(whole, Division.of(4, 1));
    whole.assertRefused(consume(whole.key(), 2, take("a", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void writes_missingShard_areRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.assertRefused(locked(bucket.key(), 2, Parameters.UNCHANGED, charge("a", 1)));
    bucket.assertRefused(consume(bucket.key(), 2, charge("a", 1)));
    bucket.assertRefused(
        locked(bucket.key(), 2, Parameters.dividing(Division.of(1, 1)), charge("a", 1)));
  }

  /** What was used must be written down, wherever the share has gone; but nothing may expire. */
  @ParameterizedTest
  @EnumSource
  default void adjust_shardOfSeveral_appliesOnlyWithoutExpiry(StorePort driver) {
    ContractBucket part = new ContractBucket(this, driver);
    given(part, Division.of(1, 2));
    part.assertRefused(part.adjust(charge("a", 1)));
    part.assertRefused(part.adjust());
    part.assertApplied(
        part.adjustExpiring(BucketState.NEVER, charge("a", 50)),
        divided(part.written(REFILLED_AT_MS, limit("a", -10, 51)), Division.of(1, 2)));
    ContractBucket whole = new ContractBucket(this, driver);
    given(whole, Division.of(2, 1));
    whole.assertApplied(
        whole.adjust(charge("a", 1)), counted(whole, 2, REFILLED_AT_MS, limit("a", 39, 2)));
  }

  /** The bucket as a plan of {@link ContractBucket} leaves it, with another count of shards. */
  private static BucketState counted(
      ContractBucket bucket, int count, long refilledAtMs, LimitState... limits) {
    BucketState state = bucket.written(refilledAtMs, limits);
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        state.limits(),
        Division.of(count, 1),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        state.op(),
        state.stamp());
  }

  @ParameterizedTest
  @EnumSource
  default void locked_fromEachLevelToEach_changesTheLevel(StorePort driver) {
    int[] levels = {1, 2, 64, BucketKey.MAX_SHARDS};
    for (int from : levels) {
      for (int to : levels) {
        ContractBucket bucket = new ContractBucket(this, driver);
        given(bucket, Division.of(8, from));
        bucket.assertApplied(
            locked(bucket.key(), from, Parameters.dividing(Division.of(8, to)), charge("a", 10)),
            divided(bucket.written(LATER_MS, limit("a", 30, 11)), Division.of(8, to)));
      }
    }
  }

  /** How many there should be is changed by a resize alone, which may come between. */
  @ParameterizedTest
  @EnumSource
  default void locked_newLevelForAnotherCount_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, Division.of(8, 2));
    for (int count : new int[] {1, 4, 16}) {
      for (int level : new int[] {1, 2, 4}) {
        bucket.assertRefused(
            locked(bucket.key(), 2, Parameters.dividing(Division.of(count, level))));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void locked_newLevelUnderALostLock_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, Division.of(8, 2));
    Parameters split = Parameters.dividing(Division.of(8, 4));
    bucket.assertRefused(locked(bucket.key(), 1, split));
    bucket.assertRefused(locked(bucket.key(), 4, split));
    bucket.assertRefused(locked(bucket.key(), 2, split, take("a", 41)));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS - 1, LATER_MS, split));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_levelWithStampAndLimits_changesAllAtOnce(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, Division.of(2, 2));
    ConfigStamp stamp =
        new ConfigStamp(
            ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 7), /* disabled= */ true);
    Parameters parameters =
        new Parameters(List.of(), List.of(limit("b", 5, 0)), List.of(), stamp, Division.of(2, 1));
    BucketState after = bucket.written(LATER_MS, limit("a", 39, 2), limit("b", 5, 0));
    bucket.assertApplied(
        locked(bucket.key(), 2, parameters, charge("a", 1)),
        ConfigStampContract.stated(divided(after, Division.of(2, 1)), stamp));
  }

  @ParameterizedTest
  @EnumSource
  default void resize_countAsRead_changesOnlyTheCount(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1));
    bucket.assertApplied(
        resize(bucket, 1, 8),
        divided(bucket.written(REFILLED_AT_MS, limit("a", 40, 1)), Division.of(8, 1)));
    bucket.assertApplied(
        resize(bucket, 8, 2),
        divided(bucket.written(REFILLED_AT_MS, limit("a", 40, 1)), Division.of(2, 1)));
    ContractBucket part = new ContractBucket(this, driver);
    given(part, Division.of(4, 4));
    part.assertApplied(
        resize(part, 4, 4),
        divided(part.written(REFILLED_AT_MS, limit("a", 40, 1)), Division.of(4, 4)));
    part.assertApplied(
        resize(part, 4, BucketKey.MAX_SHARDS),
        divided(
            part.written(REFILLED_AT_MS, limit("a", 40, 1)), Division.of(BucketKey.MAX_SHARDS, 4)));
  }

  @ParameterizedTest
  @EnumSource
  default void resize_otherCount_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, Division.of(4, 2));
    bucket.assertRefused(resize(bucket, 2, 8));
    bucket.assertRefused(resize(bucket, 8, 4));
  }

  @ParameterizedTest
  @EnumSource
  default void resize_missingBucket_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.assertRefused(resize(bucket, 1, 2));
  }

  /** An operator may prepare what is switched off, and the stamp stays as it is. */
  @ParameterizedTest
  @EnumSource
  default void resize_switchedOff_appliesAndLeavesTheStamp(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    ConfigStamp off =
        new ConfigStamp(
            ConfigLevel.SYSTEM, RecordVersions.of(ConfigLevel.SYSTEM, 3), /* disabled= */ true);
    BucketState state = ConfigStampContract.stated(bucket.created(limit("a", 40, 1)), off);
    bucket.assertApplied(new WritePlan.Create(state), state);
    BucketState after = bucket.written(REFILLED_AT_MS, limit("a", 40, 1));
    bucket.assertApplied(
        resize(bucket, 1, 2), ConfigStampContract.stated(divided(after, Division.of(2, 1)), off));
  }
}
