package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlan.Parameters;
import dev.millrace.core.spi.plan.WritePlan.Removal;
import dev.millrace.testkit.StoreContract;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about limits that change in a locked write. */
public interface ParametersContract extends StoreUnderTest {
  /** A later refill timestamp. */
  long AFTER_MS = REFILLED_AT_MS + 1_000;

  /** Other parameters than every other limit of the contract. */
  static Limit other(String name) {
    return Limit.custom(name, 7, 13, Duration.ofMillis(86_399_999)).withBurst(21);
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_setAddedAndRemovedAtOnce_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("kept", 40, 1), limit("orphan", 100_000, 2), limit("set-1.a_b", 50, 3));
    LimitState added = new LimitState(other("a-new_one.x"), 20_000, 1_000);
    bucket.assertApplied(
        bucket.locked(
            REFILLED_AT_MS,
            AFTER_MS,
            new Parameters(
                List.of(other("set-1.a_b")),
                List.of(added),
                List.of(new Removal("orphan", 100_000))),
            charge("kept", -10),
            new LimitChange("set-1.a_b", -50, 30, 50, 50)),
        bucket.written(
            AFTER_MS, added, limit("kept", 50, -9), new LimitState(other("set-1.a_b"), 0, 33)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_lockOneOff_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1));
    Parameters set = new Parameters(List.of(other("a")), List.of(), List.of());
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS - 1, AFTER_MS, set, charge("a", 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_setOfMissingLimit_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1));
    Parameters set = new Parameters(List.of(other("b")), List.of(), List.of());
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, AFTER_MS, set, take("a", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_setWithoutChange_keepsBalance(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1));
    Parameters set = new Parameters(List.of(other("a")), List.of(), List.of());
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, AFTER_MS, set),
        bucket.written(AFTER_MS, new LimitState(other("a"), 40, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_addedLimitPresentAlready_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), limit("b", 50, 2));
    Parameters add = new Parameters(List.of(), List.of(limit("b", 9, 9)), List.of());
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, AFTER_MS, add, charge("a", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_addedLimit_maySortFirst(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("b", 50, 2));
    Parameters add =
        new Parameters(List.of(), List.of(limit("c", 1, 0), limit("a", 2, 0)), List.of());
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, AFTER_MS, add, charge("b", 1)),
        bucket.written(AFTER_MS, limit("a", 2, 0), limit("b", 49, 3), limit("c", 1, 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_removalFloorAtBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), limit("b", 50, 2));
    Parameters remove = new Parameters(List.of(), List.of(), List.of(new Removal("b", 50)));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, AFTER_MS, remove, charge("a", 1)),
        bucket.written(AFTER_MS, limit("a", 39, 2)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_removalFloorOneBelowBalance_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), limit("b", 50, 2));
    Parameters remove = new Parameters(List.of(), List.of(), List.of(new Removal("b", 49)));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, AFTER_MS, remove, charge("a", 1)),
        bucket.written(AFTER_MS, limit("a", 39, 2)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_removalFloorOneAboveBalance_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), limit("b", 50, 2));
    Parameters remove = new Parameters(List.of(), List.of(), List.of(new Removal("b", 51)));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, AFTER_MS, remove, charge("a", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_removalOfMissingLimit_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1));
    Parameters remove = new Parameters(List.of(), List.of(), List.of(new Removal("b", -1)));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, AFTER_MS, remove, charge("a", 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_removedAndAddedAgain_startsAnew(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), limit("b", 50, 2));
    bucket.assertApplied(
        bucket.locked(
            REFILLED_AT_MS,
            AFTER_MS,
            new Parameters(List.of(), List.of(), List.of(new Removal("b", 50)))),
        bucket.written(AFTER_MS, limit("a", 40, 1)));
    LimitState again = new LimitState(other("b"), 7, 0);
    bucket.assertApplied(
        bucket.locked(AFTER_MS, AFTER_MS, new Parameters(List.of(), List.of(again), List.of())),
        bucket.written(AFTER_MS, limit("a", 40, 1), again));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_mostLimitsSetAtOnce_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    LimitState[] before = limits("l");
    bucket.given(before);
    LimitChange[] changes = new LimitChange[before.length];
    LimitState[] after = new LimitState[before.length];
    for (int i = 0; i < before.length; i++) {
      changes[i] = new LimitChange(before[i].name(), 1, 0, -1_000, 1_000);
      after[i] = new LimitState(other(before[i].name()), i + 1, 0);
    }
    List<Limit> set = List.of(after).stream().map(LimitState::limit).toList();
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, AFTER_MS, new Parameters(set, List.of(), List.of()), changes),
        bucket.written(AFTER_MS, after));
  }

  @ParameterizedTest
  @EnumSource
  default void parameters_mostLimitsReplacedByAsMany_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    LimitState[] before = limits("old");
    LimitState[] after = limits("new");
    bucket.given(before);
    List<Removal> removed =
        List.of(before).stream()
            .map(state -> new Removal(state.name(), state.tokensMilli()))
            .toList();
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, AFTER_MS, new Parameters(List.of(), List.of(after), removed)),
        bucket.written(AFTER_MS, after));
  }

  private static LimitState[] limits(String prefix) {
    return IntStream.range(0, LimitSet.MAX_LIMITS)
        .mapToObj(i -> limit(prefix + (char) ('a' + i), i, 0))
        .toArray(LimitState[]::new);
  }
}
