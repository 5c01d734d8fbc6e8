package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.Parameters;
import dev.millrace.testkit.StoreContract;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about the reserved limit, which every write debits. */
public interface WriteUnitsContract extends StoreUnderTest {
  /** A later refill timestamp. */
  long LATER_MS = REFILLED_AT_MS + 1_000;

  /** Creates a bucket of one limit of 40 millitokens and that balance of the reserved one. */
  private static void given(ContractBucket bucket, long wcuMilli) {
    BucketState state = bucket.created(limit("a", 40, 1)).withWcuMilli(wcuMilli);
    bucket.assertApplied(new WritePlan.Create(state), state);
  }

  private static WritePlan.Locked locked(
      ContractBucket bucket, Parameters parameters, long addWcuMilli) {
    return new WritePlan.Locked(
        bucket.key(),
        REFILLED_AT_MS,
        /* level= */ 1,
        LATER_MS,
        List.of(take("a", 1)),
        parameters,
        addWcuMilli,
        BucketState.NEVER,
        "op-write");
  }

  private static WritePlan.Consume consume(ContractBucket bucket, long addWcuMilli) {
    return new WritePlan.Consume(
        bucket.key(),
        REFILLED_AT_MS,
        /* level= */ 1,
        List.of(take("a", 1)),
        addWcuMilli,
        BucketState.NEVER,
        "op-write");
  }

  private static WritePlan.Adjust adjust(ContractBucket bucket, long addWcuMilli) {
    return new WritePlan.Adjust(
        bucket.key(), List.of(charge("a", 1)), addWcuMilli, BucketState.NEVER, "op-write");
  }

  /** The bucket after one of these writes. */
  private static BucketState after(ContractBucket bucket, long refilledAtMs, long wcuMilli) {
    BucketState state = bucket.written(refilledAtMs, limit("a", 39, 2));
    return ShardContract.divided(state, Division.NONE).withWcuMilli(wcuMilli);
  }

  @ParameterizedTest
  @EnumSource
  default void create_anyBalanceOfWriteUnits_isKept(StorePort driver) {
    for (long wcuMilli :
        new long[] {Long.MIN_VALUE, -1, 0, 1, WriteUnits.DYNAMODB.fullMilli(), Long.MAX_VALUE}) {
      given(new ContractBucket(this, driver), wcuMilli);
    }
  }

  /** Of full ones, of none and of a debt alike: it is a measure and no promise. */
  @ParameterizedTest
  @EnumSource
  default void writes_whateverTheBalanceOfWriteUnits_addToIt(StorePort driver) {
    for (long beforeMilli : new long[] {WriteUnits.DYNAMODB.fullMilli(), 0, -5_000_000_000L}) {
      for (long addMilli : new long[] {-1_000, -24_000, 0, 999_000}) {
        long afterMilli = beforeMilli + addMilli;
        ContractBucket bucket = new ContractBucket(this, driver);
        given(bucket, beforeMilli);
        bucket.assertApplied(consume(bucket, addMilli), after(bucket, REFILLED_AT_MS, afterMilli));
        bucket = new ContractBucket(this, driver);
        given(bucket, beforeMilli);
        bucket.assertApplied(adjust(bucket, addMilli), after(bucket, REFILLED_AT_MS, afterMilli));
        bucket = new ContractBucket(this, driver);
        given(bucket, beforeMilli);
        bucket.assertApplied(
            locked(bucket, Parameters.UNCHANGED, addMilli), after(bucket, LATER_MS, afterMilli));
        bucket = new ContractBucket(this, driver);
        given(bucket, beforeMilli);
        bucket.assertApplied(
            new WritePlan.Resize(bucket.key(), 1, 2, addMilli, "op-write"),
            ShardContract.divided(
                    bucket.written(REFILLED_AT_MS, limit("a", 40, 1)), Division.of(2, 1))
                .withWcuMilli(afterMilli));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void locked_splitThatCosts_changesLevelAndWriteUnits(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, 500_000);
    bucket.assertApplied(
        locked(bucket, Parameters.dividing(Division.of(1, 2)), -2_000),
        ShardContract.divided(after(bucket, LATER_MS, 498_000), Division.of(1, 2)));
  }

  @ParameterizedTest
  @EnumSource
  default void writes_refused_costNothing(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, 500_000);
    bucket.assertRefused(new WritePlan.Resize(bucket.key(), 2, 4, -1_000, "op-write"));
    bucket.assertRefused(
        new WritePlan.Adjust(
            bucket.key(), List.of(charge("b", 1)), -1_000, BucketState.NEVER, "op-write"));
    bucket.assertRefused(
        new WritePlan.Consume(
            bucket.key(),
            REFILLED_AT_MS,
            /* level= */ 1,
            List.of(take("a", 41)),
            -1_000,
            BucketState.NEVER,
            "op-write"));
  }
}
