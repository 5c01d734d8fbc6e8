package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.JointCase.FIVE;
import static dev.millrace.core.internal.protocol.JointCase.KEY;
import static dev.millrace.core.internal.protocol.JointCase.RPM;
import static dev.millrace.core.internal.protocol.JointCase.TEAM;
import static dev.millrace.core.internal.protocol.JointCase.bucket;
import static dev.millrace.core.internal.protocol.JointCase.part;
import static dev.millrace.core.internal.protocol.JointCase.seen;
import static dev.millrace.core.internal.protocol.JointCase.start;
import static dev.millrace.core.internal.protocol.JointCase.state;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Script.CONFLICT;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.internal.protocol.TransactionProtocol.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Others are faster, in the way, or the store does not answer. */
class JointTroubleTest {
  private static final List<Part> BOTH = List.of(part(KEY, 1), part(TEAM, 2));
  private static final BucketState KEY_TEN = bucket(KEY, 10);
  private static final BucketState TEAM_TEN = bucket(TEAM, 10);
  private static final StoreReply UNKNOWN = new StoreReply.Unknown(LOST, Receipt.NONE);
  private static final StoreReply IN_THE_WAY = new StoreReply.NotApplied(CONFLICT, Receipt.NONE);
  private static final StoreReply THROTTLED = new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE);
  private final PureTable table = new PureTable();

  @BeforeEach
  void fill() {
    table.put(KEY_TEN);
    table.put(TEAM_TEN);
  }

  @Test
  void send_refusedByOne_decidesAgainFromWhatItTold() {
    BucketState theirs = bucket(TEAM, T + 50, FIVE, new LimitState(RPM, 5_000, 0));
    table.put(theirs);

    Script<TransactionProtocol.Result> script = begin().answer(execute(firstCall()), T + 60);
    StoreCall.Transaction again = (StoreCall.Transaction) script.call();
    assertThat(again.plans())
        .hasExactlyElementsOfTypes(WritePlan.Locked.class, WritePlan.Consume.class);
    TransactionProtocol.Result result = script.answer(table.execute(again), T + 70).result();

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(result.traces()).containsExactly(Trace.EMPTY, Trace.EMPTY.withLostLock());
    assertThat(state(result, 1)).isEqualTo(table.get(TEAM));
    assertThat(Objects.requireNonNull(result.snapshots().get(1)).isContended(T + 70)).isTrue();
  }

  @Test
  void send_refusedByAnEmptyOne_isRejected() {
    table.put(bucket(TEAM, T + 50, FIVE, new LimitState(RPM, 0, 0)));

    TransactionProtocol.Result result = begin().answer(execute(firstCall()), T + 60).result();

    assertThat(result.outcome()).isInstanceOf(Outcome.Rejected.class);
    assertThat(table.get(KEY)).isEqualTo(KEY_TEN);
  }

  @Test
  void send_refusedByOneThatIsAhead_isOutdated() {
    table.put(bucket(TEAM, T + 50, on(RESOURCE, 6), new LimitState(RPM, 10_000, 0)));

    assertThat(begin().answer(execute(firstCall()), T + 60).result().outcome())
        .isEqualTo(new Outcome.Outdated(List.of(1)));
  }

  @Test
  void send_oneIsGone_isCreated() {
    Script<TransactionProtocol.Result> script = begin();
    script.answer(
        new StoreReply.Cancelled(List.of(Cause.NONE, new Cause(true, null, null)), Receipt.NONE),
        T);

    assertThat(((StoreCall.Transaction) script.call()).plans())
        .hasExactlyElementsOfTypes(WritePlan.Locked.class, WritePlan.Create.class);
  }

  @Test
  void send_refusedEveryTime_isContendedAfterTheLastAttempt() {
    Script<TransactionProtocol.Result> script = begin();
    for (int i = 1; i <= TransactionProtocol.MAX_ATTEMPTS; i++) {
      BucketState theirs = bucket(TEAM, T + i, FIVE, new LimitState(RPM, 10_000, 0));
      Cause cause = new Cause(true, theirs, null);
      script.answer(
          new StoreReply.Cancelled(List.of(Cause.NONE, cause), Receipt.NONE), T + i * 1_000L);
    }

    assertThat(script.result().outcome())
        .isEqualTo(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
    assertThat(script.result().traces().get(1).lostLocks())
        .isEqualTo(TransactionProtocol.MAX_ATTEMPTS);
  }

  @Test
  void send_conflict_comesAgainWithAnotherToken() {
    Script<TransactionProtocol.Result> script = begin();
    StoreCall.Transaction first = (StoreCall.Transaction) script.call();

    script.answer(IN_THE_WAY, T + 5);

    StoreCall.Transaction second = (StoreCall.Transaction) script.call();
    assertThat(second.token()).isNotEqualTo(first.token());
    TransactionProtocol.Result result = script.answer(table.execute(second), T + 9).result();
    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(result.traces()).containsExactly(Trace.EMPTY, Trace.EMPTY);
  }

  @Test
  void send_conflictEveryTime_isUnavailableAfterTheLast() {
    Script<TransactionProtocol.Result> script = begin();
    for (int i = 0; i <= CommitProtocol.MAX_CONFLICTS; i++) {
      script.answer(IN_THE_WAY, T);
    }

    assertThat(script.result().outcome())
        .isEqualTo(new Outcome.Unavailable(CONFLICT, /* mayBeCharged= */ false));
    assertThat(script.result().snapshots()).containsExactly(seen(KEY_TEN), seen(TEAM_TEN));
  }

  @Test
  void send_answerLostAndItWasMade_isAdmittedOnce() {
    Script<TransactionProtocol.Result> script = begin();
    StoreCall first = script.call();
    table.execute(first);

    script.answer(UNKNOWN, T + 5);
    assertThat(script.call()).as("the very same").isEqualTo(first);
    TransactionProtocol.Result result = script.answer(table.execute(first), T + 9).result();

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(result.traces())
        .containsExactly(Trace.EMPTY.withUnknownOutcome(), Trace.EMPTY.withUnknownOutcome());
    assertThat(table.transactions()).isEqualTo(1);
    assertThat(state(result, 1)).isEqualTo(table.get(TEAM));
  }

  @Test
  void send_answerLostAndItWasNotMade_isMadeByTheSecond() {
    Script<TransactionProtocol.Result> script = begin().answer(UNKNOWN, T + 5);

    assertThat(script.answer(table.execute(script.call()), T + 9).result().outcome())
        .isEqualTo(new Outcome.Admitted());
    assertThat(table.transactions()).isEqualTo(1);
  }

  @Test
  void send_answerLostAndThenRefused_decidesAgain() {
    Script<TransactionProtocol.Result> script = begin().answer(UNKNOWN, T + 5);
    table.put(bucket(TEAM, T + 50, FIVE, new LimitState(RPM, 5_000, 0)));

    script.answer(table.execute(script.call()), T + 60);
    assertThat(script.answer(table.execute(script.call()), T + 70).result().outcome())
        .isEqualTo(new Outcome.Admitted());
    assertThat(table.transactions()).isEqualTo(1);
  }

  /** A store that has forgotten the token: the bucket shows who wrote it. */
  @Test
  void send_answerLostAndTheBucketThatRefusesIsOurs_isAdmitted() {
    Script<TransactionProtocol.Result> script = begin();
    table.execute(script.call());
    script.answer(UNKNOWN, T + 5);

    Cause ours = new Cause(true, table.get(TEAM), null);
    script.answer(new StoreReply.Cancelled(List.of(Cause.NONE, ours), Receipt.NONE), T + 9);

    assertThat(script.result().outcome()).isEqualTo(new Outcome.Admitted());
  }

  @Test
  void send_answerLostEveryTime_mayBeCharged() {
    Script<TransactionProtocol.Result> script = begin();
    for (int i = 0; i <= TransactionProtocol.MAX_RESENDS; i++) {
      script.answer(UNKNOWN, T);
    }

    TransactionProtocol.Result result = script.result();
    assertThat(result.outcome()).isEqualTo(new Outcome.Unavailable(LOST, /* mayBeCharged= */ true));
    assertThat(result.snapshots()).containsExactly(null, null);
    assertThat(result.traces().get(0).unknownOutcomes())
        .isEqualTo(TransactionProtocol.MAX_RESENDS + 1);
  }

  @Test
  void send_answerLostAndThenThrottled_mayBeCharged() {
    assertThat(begin().answer(UNKNOWN, T).answer(THROTTLED, T).result().outcome())
        .isEqualTo(new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ true));
  }

  /** What is in the way may be the first one, still under way. */
  @Test
  void send_answerLostAndThenAConflict_staysTheSame() {
    Script<TransactionProtocol.Result> script = begin();
    StoreCall first = script.call();

    script.answer(UNKNOWN, T).answer(IN_THE_WAY, T + 5);

    assertThat(script.call()).isEqualTo(first);
    assertThat(script.answer(table.execute(first), T + 9).result().outcome())
        .isEqualTo(new Outcome.Admitted());
  }

  @Test
  void send_throttled_isUnavailableAndNotCharged() {
    TransactionProtocol.Result result = begin().answer(THROTTLED, T).result();

    assertThat(result.outcome())
        .isEqualTo(new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false));
    assertThat(result.snapshots()).containsExactly(seen(KEY_TEN), seen(TEAM_TEN));
  }

  @Test
  void read_fails_isUnavailableAndNotCharged() {
    assertThat(start(BOTH, T, null, null).answer(UNKNOWN, T).result().outcome())
        .isEqualTo(new Outcome.Unavailable(LOST, /* mayBeCharged= */ false));
  }

  private static Script<TransactionProtocol.Result> begin() {
    return start(BOTH, T, seen(KEY_TEN), seen(TEAM_TEN));
  }

  private static StoreCall firstCall() {
    return begin().call();
  }

  private StoreReply execute(StoreCall call) {
    return table.execute(call);
  }
}
