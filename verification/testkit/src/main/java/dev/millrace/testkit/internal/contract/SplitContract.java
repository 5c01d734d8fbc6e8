package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractBucket.REFILLED_AT_MS;
import static dev.millrace.testkit.internal.contract.ContractBucket.limit;
import static dev.millrace.testkit.internal.contract.ContractRecords.newToken;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlan.Parameters;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.testkit.StoreContract;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about splitting a shard in two and merging two into one. */
public interface SplitContract extends StoreUnderTest {
  /** Refused because there is nothing. */
  Cause ABSENT = new Cause(true, null, null);

  private static BucketState shard(
      BucketKey key, Division division, long tokensMilli, long consumedMilli, String op) {
    return new BucketState(
        key,
        REFILLED_AT_MS,
        List.of(limit("a", tokensMilli, consumedMilli)),
        division,
        WriteUnits.DYNAMODB.fullMilli(),
        BucketState.NEVER,
        op,
        ConfigStamp.CALL);
  }

  /** The undivided bucket of 41 millitokens, of which there should be two shards. */
  private static BucketState whole(ContractRecords records) {
    return shard(records.bucket("e", "gpt-4", 0), Division.of(2, 1), 41, 7, "op-whole");
  }

  /** What stays of it after the split. */
  private static BucketState kept(ContractRecords records) {
    return shard(records.bucket("e", "gpt-4", 0), Division.of(2, 2), 21, 7, "op-split");
  }

  /** What goes to the other shard. */
  private static BucketState moved(ContractRecords records) {
    return shard(records.bucket("e", "gpt-4", 1), Division.of(2, 2), 20, 0, "op-child");
  }

  private static StoreCall.Transaction split(ContractRecords records) {
    return plans(
        regroup(records, 1, Division.of(2, 2), new LimitChange("a", -20, 0, 20, 1_000), "op-split"),
        new WritePlan.Create(moved(records)));
  }

  private static StoreCall.Transaction merge(ContractRecords records) {
    return plans(
        regroup(records, 2, Division.of(2, 1), LimitChange.unconditional("a", 20, 3), "op-merge"),
        new WritePlan.Remove(moved(records).key(), "op-child", "op-gone"));
  }

  private static WritePlan regroup(
      ContractRecords records, int level, Division division, LimitChange change, String op) {
    return new WritePlan.Locked(
        whole(records).key(),
        REFILLED_AT_MS,
        level,
        REFILLED_AT_MS,
        List.of(change),
        Parameters.dividing(division),
        /* addWcuMilli= */ 0,
        BucketState.NEVER,
        op);
  }

  private static StoreCall.Transaction plans(WritePlan... plans) {
    return new StoreCall.Transaction(List.of(plans), List.of(), newToken());
  }

  private static StoreCall.Transaction remove(ContractRecords records, String expectedOp) {
    return plans(new WritePlan.Remove(moved(records).key(), expectedOp, "op-gone"));
  }

  private static void given(ContractRecords records, BucketState... states) {
    for (BucketState state : states) {
      assertThat(records.execute(new StoreCall.Write(new WritePlan.Create(state))))
          .isInstanceOf(StoreReply.Applied.class);
    }
  }

  /** The shards are these and no other, also where they are listed. */
  private static void assertShards(ContractRecords records, BucketState... states) {
    for (BucketState state : states) {
      assertThat(records.read(state.key())).isEqualTo(state);
    }
    BucketKey[] keys = List.of(states).stream().map(BucketState::key).toArray(BucketKey[]::new);
    records.assertListed(new Listing.BucketsOfEntity(records.namespace(), "e"), keys);
    records.assertListed(new Listing.BucketsOfResource(records.namespace(), "gpt-4"), keys);
  }

  @ParameterizedTest
  @EnumSource
  default void split_bothConditionsHold_leavesTwoShards(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, whole(records));
    records.assertCommitted(split(records));
    assertShards(records, kept(records), moved(records));
  }

  @ParameterizedTest
  @EnumSource
  default void split_childIsThereAlready_writesNothing(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketState other = shard(moved(records).key(), Division.of(4, 4), 1, 0, "op-other");
    given(records, whole(records), other);
    records.assertCancelled(split(records), Cause.NONE, new Cause(true, other, null));
    assertShards(records, whole(records), other);
  }

  @ParameterizedTest
  @EnumSource
  default void split_parentIsAnother_makesNoChild(StorePort driver) {
    record Other(Division division, long tokensMilli) {}
    for (Other other :
        List.of(
            new Other(Division.of(2, 2), 41),
            new Other(Division.of(4, 1), 41),
            new Other(Division.of(2, 1), 19))) {
      ContractRecords records = new ContractRecords(this, driver);
      BucketState present =
          shard(whole(records).key(), other.division(), other.tokensMilli(), 7, "op-other");
      given(records, present);
      records.assertCancelled(split(records), new Cause(true, present, null), Cause.NONE);
      assertShards(records, present);
    }
  }

  @ParameterizedTest
  @EnumSource
  default void split_parentIsNotThere_makesNoChild(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertCancelled(split(records), ABSENT, Cause.NONE);
    assertThat(records.read(moved(records).key())).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void merge_bothConditionsHold_leavesOneShard(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, kept(records), moved(records));
    records.assertCommitted(merge(records));
    assertThat(records.read(moved(records).key())).isNull();
    assertShards(records, shard(whole(records).key(), Division.of(2, 1), 41, 10, "op-merge"));
  }

  @ParameterizedTest
  @EnumSource
  default void merge_childWasWritten_writesNothing(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketState written = shard(moved(records).key(), Division.of(2, 2), 19, 1, "op-later");
    given(records, kept(records), written);
    records.assertCancelled(merge(records), Cause.NONE, new Cause(true, written, null));
    assertShards(records, kept(records), written);
  }

  @ParameterizedTest
  @EnumSource
  default void merge_childIsGone_writesNothing(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, kept(records));
    records.assertCancelled(merge(records), Cause.NONE, ABSENT);
    assertShards(records, kept(records));
  }

  @ParameterizedTest
  @EnumSource
  default void merge_parentWasSplitFurther_writesNothing(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketState further = shard(whole(records).key(), Division.of(2, 4), 10, 7, "op-further");
    given(records, further, moved(records));
    records.assertCancelled(merge(records), new Cause(true, further, null), Cause.NONE);
    assertShards(records, further, moved(records));
  }

  /** The one who is told first is not told of the other. */
  @ParameterizedTest
  @EnumSource
  default void merge_bothRefused_tellsAtLeastOne(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketState further = shard(whole(records).key(), Division.of(2, 4), 10, 7, "op-further");
    given(records, further);
    StoreReply reply = records.execute(merge(records));
    assertThat(reply).isInstanceOf(StoreReply.Cancelled.class);
    TransactionContract.assertTold(
        ((StoreReply.Cancelled) reply).causes(), List.of(new Cause(true, further, null), ABSENT));
    assertShards(records, further);
  }

  @ParameterizedTest
  @EnumSource
  default void split_afterAMerge_makesTheShardAnew(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, whole(records));
    records.assertCommitted(split(records));
    records.assertCommitted(merge(records));
    records.assertCommitted(split(records));
    assertShards(
        records,
        shard(whole(records).key(), Division.of(2, 2), 21, 10, "op-split"),
        moved(records));
  }

  /** Under its token it is made once, even when the shard has come back meanwhile. */
  @ParameterizedTest
  @EnumSource
  default void merge_sentAgain_isMadeOnce(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, kept(records), moved(records));
    StoreCall.Transaction merge = merge(records);
    records.assertCommitted(merge);
    records.assertCommitted(split(records));
    records.assertCommitted(merge);
    assertShards(
        records,
        shard(whole(records).key(), Division.of(2, 2), 21, 10, "op-split"),
        moved(records));
  }

  @ParameterizedTest
  @EnumSource
  default void remove_alone_takesTheShardAwayIfNobodyHasWritten(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertCancelled(remove(records, "op-child"), ABSENT);
    given(records, moved(records));
    records.assertCancelled(remove(records, "op-chil"), new Cause(true, moved(records), null));
    records.assertCancelled(remove(records, ""), new Cause(true, moved(records), null));
    assertShards(records, moved(records));
    records.assertCommitted(remove(records, "op-child"));
    assertThat(records.read(moved(records).key())).isNull();
    assertShards(records);
    records.assertCancelled(remove(records, "op-child"), ABSENT);
  }

  /** A bucket that was set up without an id of its write is one like any other. */
  @ParameterizedTest
  @EnumSource
  default void remove_shardWithoutOp_isTakenAway(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertCancelled(remove(records, ""), ABSENT);
    BucketState unnamed = shard(moved(records).key(), Division.of(2, 2), 20, 0, /* op= */ "");
    given(records, unnamed);
    records.assertCancelled(remove(records, "op-child"), new Cause(true, unnamed, null));
    records.assertCommitted(remove(records, ""));
    assertThat(records.read(unnamed.key())).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void remove_besideARefusedRecord_leavesTheShard(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, moved(records));
    records.given(records.entity("x", 1, null, 0));
    records.assertCancelled(
        new StoreCall.Transaction(
            remove(records, "op-child").plans(),
            List.of(putNew(records.entity("x", 1, null, 0))),
            newToken()),
        Cause.NONE,
        new Cause(true, null, records.entity("x", 1, null, 0)));
    assertShards(records, moved(records));
  }

  @ParameterizedTest
  @EnumSource
  default void resize_inATransaction_meansTheSameAsAlone(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    given(records, whole(records));
    BucketKey key = whole(records).key();
    records.assertCancelled(
        plans(new WritePlan.Resize(key, 4, 8, /* addWcuMilli= */ 0, "op-resize")),
        new Cause(true, whole(records), null));
    records.assertCommitted(
        plans(new WritePlan.Resize(key, 2, 8, /* addWcuMilli= */ 0, "op-resize")));
    assertShards(records, shard(key, Division.of(8, 1), 41, 7, "op-resize"));
  }
}
