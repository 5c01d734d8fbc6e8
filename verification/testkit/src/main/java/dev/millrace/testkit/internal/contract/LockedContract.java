package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;
import static dev.millrace.testkit.internal.contract.ContractBucket.takeBelow;

import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.testkit.StoreContract;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about writes under the lock of the refill timestamp. */
public interface LockedContract extends StoreUnderTest {
  /** A later refill timestamp. */
  long LATER_MS = REFILLED_AT_MS + 60_000;

  @ParameterizedTest
  @EnumSource
  default void locked_allConditionsHold_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 5), limit("tpm", 20_000, 6), limit("unasked", -3, 7));
    bucket.assertApplied(
        bucket.locked(
            REFILLED_AT_MS,
            LATER_MS,
            new LimitChange("rpm", 4_000, 1_000, -5_000, 95_000),
            new LimitChange("tpm", -20_000, 25_000, 20_000, 20_000),
            LimitChange.unconditional("unasked", 100_003, 0)),
        bucket.written(
            LATER_MS,
            limit("rpm", 14_000, 1_005),
            limit("tpm", 0, 25_006),
            limit("unasked", 100_000, 7)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_missingBucket_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, LATER_MS, charge("rpm", 1)));
    bucket.assertRefused(bucket.locked(0, LATER_MS));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_lockOneOff_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS - 1, LATER_MS, charge("rpm", 1)));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS + 1, LATER_MS, charge("rpm", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_timeSetBack_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, 17, take("rpm", 1)),
        bucket.written(17, limit("rpm", 9_999, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_floorAtBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 10_000)),
        bucket.written(LATER_MS, limit("rpm", 0, 10_000)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_floorOneBelowBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 9_999)),
        bucket.written(LATER_MS, limit("rpm", 1, 9_999)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_floorOneAboveBalance_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 10_001)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_floorBelowZero_appliesToDebtDownToIt(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", -5_000, 0));
    bucket.assertRefused(
        bucket.locked(REFILLED_AT_MS, LATER_MS, new LimitChange("rpm", 5_000, 0, -4_999, 90_000)));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, new LimitChange("rpm", 5_000, 0, -5_000, 90_000)),
        bucket.written(LATER_MS, limit("rpm", 0, 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_ceilingAtBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, takeBelow("rpm", 1, 10_000)),
        bucket.written(LATER_MS, limit("rpm", 9_999, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_ceilingOneAboveBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, takeBelow("rpm", 1, 10_001)),
        bucket.written(LATER_MS, limit("rpm", 9_999, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_ceilingOneBelowBalance_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, LATER_MS, takeBelow("rpm", 1, 9_999)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_oneOfManyRefuses_nothingIsChanged(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 10, 0), limit("b", 10, 0), limit("c", 10, 0));
    bucket.assertRefused(
        bucket.locked(REFILLED_AT_MS, LATER_MS, take("a", 10), take("b", 11), take("c", 10)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_changeOfMissingLimit_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 1), take("tpm", 0)));
    bucket.assertRefused(
        bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 1), takeBelow("tpm", 1, 10)));
  }

  /** Otherwise it would make a limit that has a balance and no parameters. */
  @ParameterizedTest
  @EnumSource
  default void locked_unconditionalChangeOfMissingLimit_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 1), charge("tpm", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_limitNotNamed_staysAsItIs(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0), limit("tpm", 7, 8));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, take("rpm", 1)),
        bucket.written(LATER_MS, limit("rpm", 9_999, 1), limit("tpm", 7, 8)));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_mostLimitsWithBothBounds_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    String[] names =
        IntStream.range(0, LimitSet.MAX_LIMITS)
            .mapToObj(i -> "l" + (char) ('a' + i))
            .toArray(String[]::new);
    LimitState[] before = new LimitState[names.length];
    LimitState[] after = new LimitState[names.length];
    LimitChange[] changes = new LimitChange[names.length];
    for (int i = 0; i < names.length; i++) {
      before[i] = limit(names[i], 1_000 + i, i);
      changes[i] = new LimitChange(names[i], -i, 2L * i, 1_000 + i, 1_000 + i);
      after[i] = limit(names[i], 1_000, 3L * i);
    }
    bucket.given(before);
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, changes), bucket.written(LATER_MS, after));
  }
}
