package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;
import static dev.millrace.testkit.internal.contract.ContractBucket.takeBelow;

import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.testkit.StoreContract;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about consuming without claiming credit. */
public interface ConsumeContract extends StoreUnderTest {
  @ParameterizedTest
  @EnumSource
  default void consume_allConditionsHold_appliesAndKeepsTimestamp(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 1), limit("tpm", 20_000, 2), limit("unasked", 3, 4));
    bucket.assertApplied(
        bucket.consume(
            REFILLED_AT_MS - 100,
            new LimitChange("rpm", -1_000, 1_000, 1_000, 100_000),
            new LimitChange("tpm", -20_000, 20_000, 20_000, 100_000)),
        bucket.written(
            REFILLED_AT_MS,
            limit("rpm", 9_000, 1_001),
            limit("tpm", 0, 20_002),
            limit("unasked", 3, 4)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_missingBucket_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.assertRefused(bucket.consume(0, take("rpm", 1)));
    bucket.assertRefused(bucket.consume(0, charge("rpm", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_claimExactlyOldEnough_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, take("rpm", 1)),
        bucket.written(REFILLED_AT_MS, limit("rpm", 9_999, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_claimOneMillisecondTooOld_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS + 1, take("rpm", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_floorAtBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, take("rpm", 10_000)),
        bucket.written(REFILLED_AT_MS, limit("rpm", 0, 10_000)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_floorOneAboveBalance_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("rpm", 10_001)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_floorZeroOfDebt_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", -1, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("rpm", 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_ceilingAtBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, takeBelow("rpm", 1, 10_000)),
        bucket.written(REFILLED_AT_MS, limit("rpm", 9_999, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_ceilingOneBelowBalance_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, takeBelow("rpm", 1, 9_999)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_oneOfManyRefuses_nothingIsChanged(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 10, 0), limit("b", 10, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("a", 10), take("b", 11)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_chargeBesideTake_mayGoBelowZero(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 10, 0), limit("b", 10, 0));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, take("a", 10), charge("b", 11)),
        bucket.written(REFILLED_AT_MS, limit("a", 0, 10), limit("b", -1, 11)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_missingLimit_isRefusedWithAndWithoutBounds(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("rpm", 1), take("tpm", 0)));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("rpm", 1), charge("tpm", 1)));
  }

  /** A settlement of nothing, folded into a write, is planned so. */
  @ParameterizedTest
  @EnumSource
  default void consume_noChanges_stampsOpAndExpiry(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10_000, 0));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS + 1));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS), bucket.written(REFILLED_AT_MS, limit("rpm", 10_000, 0)));
  }
}
