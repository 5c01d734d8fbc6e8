package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.StoreContract;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about charging and giving back, and about expiry. */
public interface AdjustContract extends StoreUnderTest {
  @ParameterizedTest
  @EnumSource
  default void adjust_charge_goesBelowZero(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10, 0), limit("tpm", 1_000, 5), limit("unasked", 3, 4));
    bucket.assertApplied(
        bucket.adjust(charge("rpm", 11), charge("tpm", 1_000_000)),
        bucket.written(
            REFILLED_AT_MS,
            limit("rpm", -1, 11),
            limit("tpm", -999_000, 1_000_005),
            limit("unasked", 3, 4)));
  }

  @ParameterizedTest
  @EnumSource
  default void adjust_refund_goesAboveCeiling(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 99_000, 1_000));
    bucket.assertApplied(
        bucket.adjust(charge("rpm", -5_000)),
        bucket.written(REFILLED_AT_MS, limit("rpm", 104_000, -4_000)));
  }

  @ParameterizedTest
  @EnumSource
  default void adjust_missingBucket_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.assertRefused(bucket.adjust(charge("rpm", 1)));
    bucket.assertRefused(bucket.adjust());
  }

  @ParameterizedTest
  @EnumSource
  default void adjust_missingLimit_isRefusedWithWhatIsThere(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10, 0));
    bucket.assertRefused(bucket.adjust(charge("tpm", 1)));
    bucket.assertRefused(bucket.adjust(charge("rpm", 1), charge("tpm", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void adjust_noChanges_stampsOpAndExpiry(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10, 0));
    bucket.assertApplied(bucket.adjust(), bucket.written(REFILLED_AT_MS, limit("rpm", 10, 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void adjust_largestAmounts_areExact(StorePort driver) {
    long max = CreateContract.MAX_MILLI;
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", max - 1, 1));
    bucket.assertApplied(
        bucket.adjust(charge("rpm", max)),
        bucket.written(REFILLED_AT_MS, limit("rpm", -1, max + 1)));
    bucket.assertApplied(
        bucket.adjust(charge("rpm", max)),
        bucket.written(REFILLED_AT_MS, limit("rpm", -max - 1, 2 * max + 1)));
    bucket.assertApplied(
        bucket.adjust(charge("rpm", -8 * max)),
        bucket.written(REFILLED_AT_MS, limit("rpm", 7 * max - 1, -6 * max + 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void adjust_expiry_isSetMovedAndRemoved(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("rpm", 10, 0));
    bucket.assertApplied(
        bucket.adjustExpiring(BucketState.NEVER, charge("rpm", 1)),
        bucket.writtenExpiring(BucketState.NEVER, limit("rpm", 9, 1)));
    bucket.assertApplied(
        bucket.adjustExpiring(253_402_300_799L, charge("rpm", 1)),
        bucket.writtenExpiring(253_402_300_799L, limit("rpm", 8, 2)));
    bucket.assertApplied(
        bucket.adjustExpiring(4_102_444_800L, charge("rpm", 1)),
        bucket.writtenExpiring(4_102_444_800L, limit("rpm", 7, 3)));
  }
}
