package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.take;
import static dev.millrace.testkit.internal.contract.ContractRecords.newToken;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNew;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNext;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.testkit.StoreContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about writing several things, all or none. */
public interface TransactionContract extends StoreUnderTest {
  /** Takes {@code milli} of the limit {@code rpm} of a bucket, which must be there. */
  static WritePlan consume(BucketKey key, long milli) {
    return new WritePlan.Consume(
        key, /* minRefilledAtMs= */ 0, List.of(take("rpm", milli)), BucketState.NEVER, "op-write");
  }

  private static StoreCall.Transaction plans(WritePlan... plans) {
    return new StoreCall.Transaction(List.of(plans), List.of(), newToken());
  }

  private static long tokensMilli(ContractRecords records, BucketKey key) {
    BucketState state = Objects.requireNonNull(records.read(key), key.toString());
    return state.limits().get(0).tokensMilli();
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_bucketsAndRecords_areAllWritten(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey present = records.bucket("a", "gpt-4", 0);
    BucketState created = records.full("b");
    records.given(present);
    records.given(records.entity("old", 1, null, 0), records.entity("gone", 1, null, 0));
    EntityRecord entity = records.entity("new", 1, "old", 0);
    records.assertCommitted(
        new StoreCall.Transaction(
            List.of(consume(present, 1_000), new WritePlan.Create(created)),
            List.of(
                putNew(entity),
                new RecordChange.AddChildren(records.entity("old"), 1),
                new RecordChange.Delete(records.entity("gone"), 1)),
            newToken()));
    assertThat(tokensMilli(records, present)).isEqualTo(99_000);
    assertThat(records.read(created.key())).isEqualTo(created);
    assertThat(
            records.lookup(
                List.of(records.entity("new"), records.entity("old"), records.entity("gone"))))
        .isEqualTo(
            Map.of(entity.key(), entity, records.entity("old"), records.entity("old", 1, null, 1)));
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_onePlanRefused_writesNothingAndTellsTheBucket(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey rich = records.bucket("a", "gpt-4", 0);
    BucketKey poor = records.bucket("b", "gpt-4", 0);
    records.given(rich, poor);
    BucketState before = records.read(poor);
    records.assertCancelled(
        new StoreCall.Transaction(
            List.of(consume(rich, 100_000), consume(poor, 100_001)),
            List.of(putNew(records.entity("new", 1, null, 0))),
            newToken()),
        Cause.NONE,
        new Cause(true, before, null),
        Cause.NONE);
    assertThat(tokensMilli(records, rich)).isEqualTo(100_000);
    assertThat(records.read(poor)).isEqualTo(before);
    assertThat(records.lookup(records.entity("new"))).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_oneChangeRefused_writesNothingAndTellsTheRecord(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    EntityRecord stored = records.entity("old", 4, null, 0);
    records.given(bucket);
    records.given(stored);
    records.assertCancelled(
        new StoreCall.Transaction(
            List.of(consume(bucket, 1_000)),
            List.of(
                putNew(records.entity("new", 1, null, 0)),
                putNext(records.entity("old", 4, "x", 0))),
            newToken()),
        Cause.NONE,
        Cause.NONE,
        new Cause(true, null, stored));
    assertThat(tokensMilli(records, bucket)).isEqualTo(100_000);
    assertThat(records.lookup(stored.key())).isEqualTo(stored);
    assertThat(records.lookup(records.entity("new"))).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_missingBucketAndRecord_areToldAsMissing(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertCancelled(
        plans(consume(records.bucket("a", "gpt-4", 0), 1)), new Cause(true, null, null));
    records.assertCancelled(
        ContractRecords.transaction(new RecordChange.Check(records.entity("a"), 1)),
        new Cause(true, null, null));
  }

  /** DynamoDB may stop at the first write that is refused. */
  @ParameterizedTest
  @EnumSource
  default void transaction_severalRefused_tellsAtLeastOneAndNoOther(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey poor = records.bucket("a", "gpt-4", 0);
    EntityRecord stored = records.entity("old", 4, null, 0);
    records.given(poor);
    records.given(stored);
    List<Cause> expected =
        List.of(
            new Cause(true, records.read(poor), null),
            Cause.NONE,
            new Cause(true, null, stored),
            new Cause(true, null, null));
    StoreReply reply =
        records.execute(
            new StoreCall.Transaction(
                List.of(consume(poor, 100_001), new WritePlan.Create(records.full("b"))),
                List.of(
                    putNew(records.entity("old", 5, null, 0)),
                    new RecordChange.Check(records.entity("none"), 1)),
                newToken()));
    assertThat(reply).isInstanceOf(StoreReply.Cancelled.class);
    assertTold(((StoreReply.Cancelled) reply).causes(), expected);
  }

  /** At least one of the expected causes is told, and for every other write none. */
  static void assertTold(List<Cause> told, List<Cause> expected) {
    assertThat(told).hasSameSizeAs(expected).anyMatch(Cause::refused);
    for (int i = 0; i < told.size(); i++) {
      if (!told.get(i).equals(Cause.NONE)) {
        assertThat(told.get(i)).as("cause %d", i).isEqualTo(expected.get(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_everyKindOfPlan_meansTheSameAsAlone(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    List<WritePlan> plans = new ArrayList<>();
    List<BucketState> expected = new ArrayList<>();
    ConfigStamp off =
        new ConfigStamp(ConfigLevel.SYSTEM, RecordVersions.of(ConfigLevel.SYSTEM, 3), true);
    for (String entityId : List.of("locked", "consume", "adjust")) {
      BucketState full = records.full(entityId);
      records.given(full.key());
      List<LimitChange> changes = List.of(LimitChange.unconditional("rpm", -10, 10));
      WritePlan plan =
          switch (entityId) {
            case "locked" ->
                new WritePlan.Locked(
                    full.key(),
                    full.refilledAtMs(),
                    full.refilledAtMs() + 5,
                    changes,
                    ConfigStampContract.restate(off),
                    BucketState.NEVER,
                    "op-x");
            case "consume" -> new WritePlan.Consume(full.key(), 0, changes, 4_000_000_000L, "op-x");
            default -> new WritePlan.Adjust(full.key(), changes, 4_000_000_000L, "op-x");
          };
      plans.add(plan);
      expected.add(Objects.requireNonNull(PlanEffect.apply(full, plan), plan.toString()));
    }
    records.assertCommitted(plans(plans.toArray(WritePlan[]::new)));
    for (BucketState state : expected) {
      assertThat(records.read(state.key())).isEqualTo(state);
    }
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_consumeOfABucketThatIsSwitchedOff_isRefused(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketState off =
        ConfigStampContract.stated(
            records.full("a"),
            new ConfigStamp(
                ConfigLevel.RESOURCE,
                RecordVersions.of(ConfigLevel.SYSTEM, 1),
                /* disabled= */ true));
    records.assertCommitted(plans(new WritePlan.Create(off)));
    records.assertCancelled(plans(consume(off.key(), 1)), new Cause(true, off, null));
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_asManyAsAllowed_isMade(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    List<RecordChange> changes = new ArrayList<>();
    List<WritePlan> plans = new ArrayList<>();
    for (int i = 0; i < StoreCall.Transaction.MAX_ACTIONS / 2; i++) {
      changes.add(putNew(records.entity("e" + i, 1, null, 0)));
      plans.add(new WritePlan.Create(records.full("e" + i)));
    }
    records.assertCommitted(new StoreCall.Transaction(plans, changes, newToken()));
    assertThat(records.lookup(changes.stream().map(RecordChange::key).toList()))
        .hasSize(changes.size());
    StoreReply buckets =
        records.execute(new StoreCall.ReadAll(plans.stream().map(WritePlan::key).toList()));
    assertThat(buckets)
        .isInstanceOfSatisfying(
            StoreReply.FoundAll.class, found -> assertThat(found.states()).hasSize(plans.size()));
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_namesSomethingTwice_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    records.given(bucket);
    records.given(records.entity("a", 1, null, 0));
    records.assertMistake(plans(consume(bucket, 1), consume(bucket, 2)));
    records.assertMistake(
        ContractRecords.transaction(
            new RecordChange.Check(records.entity("a"), 1),
            new RecordChange.AddChildren(records.entity("a"), 1)));
    assertThat(tokensMilli(records, bucket)).isEqualTo(100_000);
    assertThat(records.lookup(records.entity("a"))).isEqualTo(records.entity("a", 1, null, 0));
  }

  @ParameterizedTest
  @EnumSource
  default void transaction_planThatNoPlanMayBe_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    records.given(bucket);
    LimitChange change = LimitChange.unconditional("rpm", 1, 1);
    WritePlan twice =
        new WritePlan.Adjust(bucket, List.of(change, change), BucketState.NEVER, "op");
    // The store may leave it to DynamoDB to notice; then it is an error of set-up.
    assertThatThrownBy(() -> records.execute(plans(twice))).isInstanceOf(RuntimeException.class);
    assertThat(tokensMilli(records, bucket)).isEqualTo(100_000);
  }

  @ParameterizedTest
  @EnumSource
  default void readAll_someMissing_findsTheOthers(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey a = records.bucket("a", "gpt-4", 0);
    BucketKey b = records.bucket("a", "gpt-4", 1);
    records.given(a, b);
    List<BucketKey> keys = List.of(b, records.bucket("a", "gpt-4", 2), a);
    assertThat(records.execute(new StoreCall.ReadAll(keys)))
        .isInstanceOfSatisfying(
            StoreReply.FoundAll.class,
            found ->
                assertThat(found.states())
                    .isEqualTo(Map.of(a, records.read(a), b, records.read(b))));
    records.assertMistake(new StoreCall.ReadAll(List.of()));
    records.assertMistake(new StoreCall.ReadAll(List.of(a, a)));
    records.assertMistake(
        new StoreCall.ReadAll(
            IntStream.rangeClosed(0, StoreCall.ReadAll.MAX_KEYS)
                .mapToObj(shard -> records.bucket("a", "gpt-4", shard))
                .toList()));
  }
}
