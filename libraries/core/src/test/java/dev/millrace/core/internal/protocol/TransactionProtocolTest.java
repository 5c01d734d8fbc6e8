package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.JointCase.FIVE;
import static dev.millrace.core.internal.protocol.JointCase.KEY;
import static dev.millrace.core.internal.protocol.JointCase.LIMITS;
import static dev.millrace.core.internal.protocol.JointCase.RPM;
import static dev.millrace.core.internal.protocol.JointCase.TEAM;
import static dev.millrace.core.internal.protocol.JointCase.bucket;
import static dev.millrace.core.internal.protocol.JointCase.part;
import static dev.millrace.core.internal.protocol.JointCase.seen;
import static dev.millrace.core.internal.protocol.JointCase.start;
import static dev.millrace.core.internal.protocol.JointCase.state;
import static dev.millrace.core.spi.config.ConfigLevel.CALL;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.internal.protocol.TransactionProtocol.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several buckets are taken from in one transaction, or none. */
class TransactionProtocolTest {
  private static final List<Part> BOTH = List.of(part(KEY, 1), part(TEAM, 2));
  private static final BucketState KEY_TEN = bucket(KEY, 10);
  private static final BucketState TEAM_TEN = bucket(TEAM, 10);
  private final PureTable table = new PureTable();

  @Test
  void start_bothSeen_isOneTransactionWithoutARead() {
    table.put(KEY_TEN);
    table.put(TEAM_TEN);

    Script<TransactionProtocol.Result> script =
        start(BOTH, T + 1_000, seen(KEY_TEN), seen(TEAM_TEN));
    StoreCall.Transaction transaction = (StoreCall.Transaction) script.call();
    assertThat(transaction.plans())
        .hasOnlyElementsOfType(WritePlan.Locked.class)
        .extracting(WritePlan::key)
        .containsExactly(KEY, TEAM);
    assertThat(transaction.plans()).extracting(WritePlan::op).containsExactly("op-1", "op-2");
    assertThat(transaction.token()).isEqualTo("op-3");
    TransactionProtocol.Result result = run(script, T + 1_005);

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(result.traces()).containsExactly(Trace.EMPTY, Trace.EMPTY);
    assertThat(state(result, 0)).as("worked out").isEqualTo(table.get(KEY));
    assertThat(state(result, 1)).isEqualTo(table.get(TEAM));
    assertThat(state(result, 1).limits()).containsExactly(new LimitState(RPM, 9_000, 2_000));
  }

  @Test
  void start_coldParts_areReadInOneCall() {
    table.put(KEY_TEN);
    List<Part> three = List.of(part(KEY, 1), part(TEAM, 2), part(JointCase.key("org"), 3));

    Script<TransactionProtocol.Result> script = start(three, T, null, seen(TEAM_TEN), null);
    assertThat(script.call()).isEqualTo(new StoreCall.ReadAll(List.of(KEY, JointCase.key("org"))));
    table.put(TEAM_TEN);
    script.answer(table.execute(script.call()), T);
    assertThat(((StoreCall.Transaction) script.call()).plans())
        .hasExactlyElementsOfTypes(
            WritePlan.Locked.class, WritePlan.Locked.class, WritePlan.Create.class);
    TransactionProtocol.Result result = run(script, T + 5);

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(result.traces())
        .containsExactly(Trace.EMPTY, Trace.EMPTY, Trace.EMPTY.withCreated());
    assertThat(state(result, 2).limits()).containsExactly(new LimitState(RPM, 57_000, 3_000));
    assertThat(state(result, 2)).isEqualTo(table.get(JointCase.key("org")));
  }

  @Test
  void start_onePartShort_isRefusedAtNoCostWithEveryStatus() {
    BucketState empty = bucket(TEAM, 0);

    TransactionProtocol.Result result = start(BOTH, T, seen(KEY_TEN), seen(empty)).result();

    assertThat(((Outcome.Rejected) result.outcome()).rejection().statuses())
        .containsExactly(
            new LimitStatus("key", "gpt-4", RPM, 10_000, 1_000, false, 0),
            new LimitStatus("team", "gpt-4", RPM, 0, 2_000, true, 2_000));
    assertThat(result.snapshots()).containsExactly(seen(KEY_TEN), seen(empty));
  }

  @Test
  void start_shortPartSeenLongAgo_isReadWithTheOthersSeenLongAgo() {
    BucketState empty = bucket(TEAM, 0);
    List<Part> three = List.of(part(KEY, 1), part(TEAM, 5), part(JointCase.key("org"), 1));
    BucketSnapshot org = BucketSnapshot.of(bucket(JointCase.key("org"), 10), T + 999);

    Script<TransactionProtocol.Result> script =
        start(three, T + 1_000, seen(KEY_TEN), seen(empty), org);

    assertThat(script.call()).isEqualTo(new StoreCall.ReadAll(List.of(KEY, TEAM)));
    table.put(KEY_TEN);
    table.put(empty);
    script.answer(table.execute(script.call()), T + 1_005);
    assertThat(script.result().outcome()).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void start_shortPartSeenJustNow_isRefusedWhateverTheOthersAge() {
    BucketSnapshot empty = BucketSnapshot.of(bucket(TEAM, 0), T + 1_500);

    assertThat(start(BOTH, T + 1_500, seen(KEY_TEN), empty).result().outcome())
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void start_partOff_isDisabledAndTheFirstIsNamed() {
    ConfigStamp isOff = off(RESOURCE, 5);
    List<Part> parts = List.of(part(KEY, 1), part(TEAM, isOff, 99));
    BucketSnapshot team = seen(bucket(TEAM, T, isOff, new LimitState(RPM, 0, 0)));

    assertThat(start(parts, T, seen(KEY_TEN), team).result().outcome())
        .isEqualTo(new Outcome.Disabled(1));
  }

  /** The repair, here the switch, is left to others: nothing is written for a refusal. */
  @Test
  void start_termsSayOff_isDisabledWithoutAWrite() {
    List<Part> parts = List.of(part(KEY, 1), part(TEAM, off(RESOURCE, 6), 1));

    assertThat(start(parts, T, seen(KEY_TEN), seen(TEAM_TEN)).result().outcome())
        .isEqualTo(new Outcome.Disabled(1));
  }

  @Test
  void start_coldAndTermsSayOff_isNotCreated() {
    List<Part> parts = List.of(part(KEY, off(RESOURCE, 6), 1), part(TEAM, 1));
    Script<TransactionProtocol.Result> script = start(parts, T, null, seen(TEAM_TEN));

    script.answer(table.execute(script.call()), T);

    assertThat(script.result().outcome()).isEqualTo(new Outcome.Disabled(0));
  }

  @Test
  void start_partsAhead_areOutdatedBeforeAnythingElse() {
    BucketSnapshot key = seen(bucket(KEY, T, on(RESOURCE, 6), new LimitState(RPM, 0, 0)));
    BucketSnapshot team = seen(bucket(TEAM, 0));
    BucketSnapshot org = seen(bucket(JointCase.key("org"), T, off(RESOURCE, 7)));
    List<Part> three = List.of(part(KEY, 1), part(TEAM, 2), part(JointCase.key("org"), 3));

    assertThat(start(three, T, key, team, org).result().outcome())
        .isEqualTo(new Outcome.Outdated(List.of(0, 2)));
  }

  @Test
  void start_partAheadSeenLongAgo_isReadFirst() {
    BucketSnapshot key = seen(bucket(KEY, T, on(RESOURCE, 6), new LimitState(RPM, 0, 0)));

    Script<TransactionProtocol.Result> script =
        start(BOTH, T + 1_000, key, BucketSnapshot.of(TEAM_TEN, T + 1_000));

    assertThat(script.call()).isEqualTo(new StoreCall.ReadAll(List.of(KEY)));
  }

  @Test
  void start_partBehind_isRepairedInTheSameTransaction() {
    BucketState behind = bucket(TEAM, T, on(CALL, 4), new LimitState(RPM.withBurst(90), 10_000, 0));
    table.put(KEY_TEN);
    table.put(behind);

    TransactionProtocol.Result result = run(start(BOTH, T, seen(KEY_TEN), seen(behind)), T);

    assertThat(result.traces()).containsExactly(Trace.EMPTY, Trace.EMPTY.withReparameterised());
    assertThat(state(result, 1)).isEqualTo(table.get(TEAM));
    assertThat(state(result, 1).stamp()).isEqualTo(FIVE);
  }

  @Test
  void start_wildTimestamp_isHealed() {
    BucketState wild = bucket(TEAM, T + 3_600_000, FIVE, new LimitState(RPM, 10_000, 0));
    table.put(KEY_TEN);
    table.put(wild);

    TransactionProtocol.Result result = run(start(BOTH, T, seen(KEY_TEN), seen(wild)), T);

    assertThat(result.traces()).containsExactly(Trace.EMPTY, Trace.EMPTY.withHealed(3_600_000));
    assertThat(state(result, 1).refilledAtMs()).isEqualTo(T);
  }

  @Test
  void start_contendedAndSeenLongAgo_isReadFirst() {
    BucketSnapshot team = new BucketSnapshot(TEAM_TEN, T, T + 10_000, /* lively= */ false);

    Script<TransactionProtocol.Result> script =
        start(BOTH, T + 81, BucketSnapshot.of(KEY_TEN, T + 81), team);

    assertThat(script.call()).isEqualTo(new StoreCall.ReadAll(List.of(TEAM)));
    table.put(KEY_TEN);
    table.put(TEAM_TEN);
    script.answer(table.execute(script.call()), T + 85);
    assertThat(run(script, T + 90).outcome()).isEqualTo(new Outcome.Admitted());
  }

  /**
   * Consumed on trust that others have claimed: what it left is not known, so what was seen stays.
   */
  @Test
  void start_livelyAndSeenLongAgo_consumesAndKeepsWhatWasSeen() {
    BucketSnapshot team = new BucketSnapshot(TEAM_TEN, T, T + 10_000, /* lively= */ true);
    table.put(KEY_TEN);
    table.put(bucket(TEAM, T + 890, FIVE, new LimitState(RPM, 5_000, 0)));

    Script<TransactionProtocol.Result> script = start(BOTH, T + 900, seen(KEY_TEN), team);
    assertThat(((StoreCall.Transaction) script.call()).plans().get(1))
        .isInstanceOf(WritePlan.Consume.class);
    TransactionProtocol.Result result = run(script, T + 905);

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(result.snapshots().get(1)).isEqualTo(team);
  }

  @Test
  void start_nothingToTake_isAdmittedWithoutACall() {
    Amounts nothing = Amounts.ofTokens(LIMITS, Map.of());
    List<Part> parts = List.of(new Part(KEY, new EffectiveLimits(LIMITS, FIVE), nothing));

    assertThat(start(parts, T, seen(KEY_TEN)).result().outcome()).isEqualTo(new Outcome.Admitted());
  }

  @Test
  void start_nothingToTakeFromOne_leavesItOut() {
    Amounts nothing = Amounts.ofTokens(LIMITS, Map.of());
    List<Part> parts =
        List.of(new Part(KEY, new EffectiveLimits(LIMITS, FIVE), nothing), part(TEAM, 1));

    Script<TransactionProtocol.Result> script = start(parts, T, null, seen(TEAM_TEN));
    script.answer(table.execute(script.call()), T);
    table.put(TEAM_TEN);

    assertThat(((StoreCall.Transaction) script.call()).plans())
        .extracting(WritePlan::key)
        .containsExactly(TEAM);
    assertThat(run(script, T).snapshots().get(0)).isNull();
  }

  @Test
  void start_softLimit_isChargedBelowZero() {
    Limit soft = RPM.asSoft();
    LimitSet limits = LimitSet.of(soft);
    BucketState state = bucket(TEAM, T, FIVE, new LimitState(soft, 1_000, 0));
    table.put(KEY_TEN);
    table.put(state);
    Part metered = new Part(TEAM, new EffectiveLimits(limits, FIVE), tokens(limits, 500));

    TransactionProtocol.Result result =
        run(start(List.of(part(KEY, 1), metered), T, seen(KEY_TEN), seen(state)), T);

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(state(result, 1).limits()).containsExactly(new LimitState(soft, -499_000, 500_000));
  }

  @Test
  void new_badParts_areRefused() {
    assertThatThrownBy(() -> new TransactionProtocol(List.of(), PlanSettings.DEFAULT, () -> "op"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("parts: 0 given, must be from 1 to 100");
    assertThatThrownBy(
            () ->
                new TransactionProtocol(
                    List.of(part(KEY, 1), part(KEY, 2)), PlanSettings.DEFAULT, () -> "op"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("parts: ns/key/gpt-4#0 is given twice");
    assertThatThrownBy(() -> part(KEY, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an acquire cannot give back: rpm=-1");
    assertThatThrownBy(() -> start(BOTH, T, seen(KEY_TEN)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("known: 1 snapshots given for 2 parts");
  }

  private TransactionProtocol.Result run(Script<TransactionProtocol.Result> script, long nowMs) {
    return script.answer(table.execute(script.call()), nowMs).result();
  }
}
