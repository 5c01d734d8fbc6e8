package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.charge;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractBucket.take;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlan.Parameters;
import dev.millrace.core.spi.plan.WritePlan.Removal;
import dev.millrace.testkit.StoreContract;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about a bucket's stamp, its switch and soft limits. */
public interface ConfigStampContract extends StoreUnderTest {
  /** A later refill timestamp. */
  long LATER_MS = REFILLED_AT_MS + 1_000;

  /** Stored for the entity and the resource, and switched off. */
  ConfigStamp OFF =
      new ConfigStamp(ConfigLevel.ENTITY_RESOURCE, new RecordVersions(3, 7, 1, 20, 2), true);

  /** The same, switched on. */
  ConfigStamp ON =
      new ConfigStamp(ConfigLevel.ENTITY_RESOURCE, new RecordVersions(3, 7, 1, 20, 2), false);

  /** {@code state} with another stamp. */
  static BucketState stated(BucketState state, ConfigStamp stamp) {
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        state.limits(),
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        state.op(),
        stamp);
  }

  /** Parameters that change nothing but the stamp. */
  static Parameters restate(ConfigStamp stamp) {
    return new Parameters(List.of(), List.of(), List.of(), stamp);
  }

  /** Creates a bucket of that stamp with one limit of 40 millitokens. */
  private static void given(ContractBucket bucket, ConfigStamp stamp) {
    BucketState state = stated(bucket.created(limit("a", 40, 1)), stamp);
    bucket.assertApplied(new WritePlan.Create(state), state);
  }

  @ParameterizedTest
  @EnumSource
  default void create_stampOfEachLevel_isKept(StorePort driver) {
    for (ConfigLevel level : ConfigLevel.values()) {
      for (long version : new long[] {0, 1, Long.MAX_VALUE}) {
        given(
            new ContractBucket(this, driver),
            new ConfigStamp(level, new RecordVersions(1, version, 0, 2, version), false));
        given(
            new ContractBucket(this, driver),
            new ConfigStamp(level, new RecordVersions(1, version, 0, 2, version), true));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void writes_withoutStamp_leaveItAsItIs(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, ON);
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, take("a", 10)),
        stated(bucket.written(REFILLED_AT_MS, limit("a", 30, 11)), ON));
    bucket.assertApplied(
        bucket.adjust(charge("a", 5)),
        stated(bucket.written(REFILLED_AT_MS, limit("a", 25, 16)), ON));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, take("a", 5)),
        stated(bucket.written(LATER_MS, limit("a", 20, 21)), ON));
    Parameters set = new Parameters(List.of(ParametersContract.other("a")), List.of(), List.of());
    bucket.assertApplied(
        bucket.locked(LATER_MS, LATER_MS, set),
        stated(
            bucket.written(LATER_MS, new LimitState(ParametersContract.other("a"), 20, 21)), ON));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_fromEachLevelToEach_changesTheStamp(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, ConfigStamp.CALL);
    long refilledAtMs = REFILLED_AT_MS;
    for (ConfigLevel from : ConfigLevel.values()) {
      for (ConfigLevel to : ConfigLevel.values()) {
        for (ConfigStamp stamp :
            List.of(
                new ConfigStamp(from, RecordVersions.of(ConfigLevel.SYSTEM, 3), true),
                new ConfigStamp(to, RecordVersions.of(ConfigLevel.SYSTEM, 0), false))) {
          bucket.assertApplied(
              bucket.locked(refilledAtMs, refilledAtMs + 1, restate(stamp)),
              stated(bucket.written(refilledAtMs + 1, limit("a", 40, 1)), stamp));
          refilledAtMs++;
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void locked_stampWithLimitsAndConsumption_changesAllAtOnce(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), limit("b", -50, 2), limit("c", 60, 3));
    LimitState added = new LimitState(ParametersContract.other("d").asSoft(), 7, 0);
    Parameters parameters =
        new Parameters(
            List.of(ParametersContract.other("a")),
            List.of(added),
            List.of(new Removal("b", LimitChange.NO_FLOOR)),
            OFF);
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, parameters, take("a", 40), charge("c", 1)),
        stated(
            bucket.written(
                LATER_MS,
                new LimitState(ParametersContract.other("a"), 0, 41),
                limit("c", 59, 4),
                added),
            OFF));
  }

  @ParameterizedTest
  @EnumSource
  default void locked_stampUnderALostLock_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, ON);
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS - 1, LATER_MS, restate(OFF)));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_switchedOff_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, OFF);
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("a", 1)));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, charge("a", 0)));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS));
  }

  @ParameterizedTest
  @EnumSource
  default void consume_switchedOffAndOnAgain_applies(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, ON);
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, restate(OFF)),
        stated(bucket.written(LATER_MS, limit("a", 40, 1)), OFF));
    bucket.assertRefused(bucket.consume(REFILLED_AT_MS, take("a", 1)));
    bucket.assertApplied(
        bucket.locked(LATER_MS, LATER_MS + 1, restate(ON)),
        stated(bucket.written(LATER_MS + 1, limit("a", 40, 1)), ON));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, take("a", 1)),
        stated(bucket.written(LATER_MS + 1, limit("a", 39, 2)), ON));
  }

  /** What is settled is settled, and the lock tells everybody else. */
  @ParameterizedTest
  @EnumSource
  default void adjustAndLocked_switchedOff_apply(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    given(bucket, OFF);
    bucket.assertApplied(
        bucket.adjust(charge("a", 50)),
        stated(bucket.written(REFILLED_AT_MS, limit("a", -10, 51)), OFF));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, charge("a", -20)),
        stated(bucket.written(LATER_MS, limit("a", 10, 31)), OFF));
  }

  @ParameterizedTest
  @EnumSource
  default void removal_withoutFloor_appliesToAnyBalance(StorePort driver) {
    for (long tokensMilli : new long[] {Long.MIN_VALUE + 1, -1, 0, Long.MAX_VALUE}) {
      ContractBucket bucket = new ContractBucket(this, driver);
      bucket.given(limit("a", 40, 1), limit("b", tokensMilli, 2));
      Parameters remove =
          new Parameters(
              List.of(), List.of(), List.of(new Removal("b", LimitChange.NO_FLOOR)), null);
      bucket.assertApplied(
          bucket.locked(REFILLED_AT_MS, LATER_MS, remove),
          bucket.written(LATER_MS, limit("a", 40, 1)));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void removal_withoutFloorOfMissingLimit_isRefused(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1));
    Parameters remove =
        new Parameters(List.of(), List.of(), List.of(new Removal("b", LimitChange.NO_FLOOR)));
    bucket.assertRefused(bucket.locked(REFILLED_AT_MS, LATER_MS, remove));
  }

  @ParameterizedTest
  @EnumSource
  default void softLimits_everyWrite_stayWhatTheyAre(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    Limit soft = Limit.perMinute("soft", 100).asSoft();
    bucket.given(limit("hard", 40, 1), new LimitState(soft, 10, 0));
    bucket.assertApplied(
        bucket.consume(REFILLED_AT_MS, take("hard", 1), charge("soft", 30)),
        bucket.written(REFILLED_AT_MS, limit("hard", 39, 2), new LimitState(soft, -20, 30)));
    bucket.assertApplied(
        bucket.locked(REFILLED_AT_MS, LATER_MS, charge("hard", -1), charge("soft", -5)),
        bucket.written(LATER_MS, limit("hard", 40, 1), new LimitState(soft, -15, 25)));
  }

  /** A field that is only sometimes there must go when it is no longer true. */
  @ParameterizedTest
  @EnumSource
  default void softLimits_setHardAndSoftAgain_change(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    Limit hard = Limit.perMinute("a", 100);
    bucket.given(new LimitState(hard.asSoft(), 40, 1));
    long refilledAtMs = REFILLED_AT_MS;
    for (Limit next : List.of(hard, hard.asSoft(), hard)) {
      bucket.assertApplied(
          bucket.locked(
              refilledAtMs, refilledAtMs + 1, new Parameters(List.of(next), List.of(), List.of())),
          bucket.written(refilledAtMs + 1, new LimitState(next, 40, 1)));
      refilledAtMs++;
    }
  }

  /** What a removed soft limit was must not come back with its name. */
  @ParameterizedTest
  @EnumSource
  default void softLimits_removedAndAddedHard_areHard(StorePort driver) {
    ContractBucket bucket = new ContractBucket(this, driver);
    bucket.given(limit("a", 40, 1), new LimitState(Limit.perMinute("b", 1).asSoft(), 5, 0));
    bucket.assertApplied(
        bucket.locked(
            REFILLED_AT_MS,
            LATER_MS,
            new Parameters(List.of(), List.of(), List.of(new Removal("b", LimitChange.NO_FLOOR)))),
        bucket.written(LATER_MS, limit("a", 40, 1)));
    bucket.assertApplied(
        bucket.locked(
            LATER_MS, LATER_MS, new Parameters(List.of(), List.of(limit("b", 6, 0)), List.of())),
        bucket.written(LATER_MS, limit("a", 40, 1), limit("b", 6, 0)));
  }
}
