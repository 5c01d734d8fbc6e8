package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.Records;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import dev.millrace.dynamodb.internal.call.TransactionSend;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Transactions on the wire: what is sent how often, and what the answers mean. */
@Timeout(60)
class TransactionTest {
  private static final long LONG_MS = 20_000;
  private static final String DATE = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";
  private static final long DATE_MS = 1_767_225_600_000L;
  private static final EntityRecord ENTITY = Records.entity("ns", "x", null);
  private static final StoreCall CALL =
      new StoreCall.Transaction(
          List.of(Buckets.consume(new LimitChange("rpm", -1_000, 1_000, 1_000, 10_000))),
          List.of(
              new RecordChange.AddChildren(ENTITY.key(), 1),
              new RecordChange.Check(new RecordKey.Entity("ns", "y"), 1)),
          "token-1");
  private static final Answer OK = Answer.ok("{}");
  private static final Answer IN_PROGRESS = Answer.error(400, "TransactionInProgressException");

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void transaction_made_isCommitted(TestStore kind) throws Exception {
    Run run = run(kind, n -> new Answer.Http(200, DATE, "{}"));
    assertThat(run.bodies).hasSize(1);
    assertThat(run.bodies.get(0)).contains("\"ClientRequestToken\":\"token-1\"");
    assertThat(run.reply)
        .isEqualTo(new StoreReply.Committed(new Receipt(0, /* writeUnits= */ 6, 0, DATE_MS)));
  }

  /** DynamoDB Local reports two for any number of small items. */
  @Test
  void transaction_moreReported_isWhatIsReported() throws Exception {
    String json =
        "{\"ConsumedCapacity\":[{\"TableName\":\"limits\",\"CapacityUnits\":10.0,"
            + "\"WriteCapacityUnits\":10.0,\"Table\":{\"CapacityUnits\":8.0},"
            + "\"GlobalSecondaryIndexes\":{\"GSI1\":{\"CapacityUnits\":2.0}}}]}";
    assertThat(run(TestStore.URL_CONNECTION_DEFAULT, n -> Answer.ok(json)).reply.receipt())
        .isEqualTo(new Receipt(0, 8, 2, Receipt.NO_TIME));
  }

  @Test
  void transaction_madeBefore_costsReads() throws Exception {
    String json =
        "{\"ConsumedCapacity\":[{\"TableName\":\"limits\",\"CapacityUnits\":6.0,"
            + "\"ReadCapacityUnits\":6.0}]}";
    assertThat(run(TestStore.URL_CONNECTION_DEFAULT, n -> Answer.ok(json)).reply.receipt())
        .isEqualTo(new Receipt(6, 0, 0, Receipt.NO_TIME));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void transaction_refused_tellsEachCause(TestStore kind) throws Exception {
    Answer cancelled =
        cancelled(
            refused(SampleJson.item(Buckets.state("rpm"))),
            refused(SampleJson.item(RecordCodec.encode(ENTITY))),
            refused(null));
    Run run = run(kind, n -> cancelled);
    assertThat(run.bodies).as("sent once").hasSize(1);
    assertThat(run.reply)
        .isEqualTo(
            new StoreReply.Cancelled(
                List.of(
                    new Cause(true, Buckets.state("rpm"), null),
                    new Cause(true, null, ENTITY),
                    new Cause(true, null, null)),
                new Receipt(0, 6, 0, DATE_MS)));
  }

  /** A merge whose child was written meanwhile: it tells the child, of its own shard and level. */
  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void transaction_removeRefused_tellsTheShard(TestStore kind) throws Exception {
    BucketState shard = Buckets.shard(1, Division.of(1, 2));
    StoreCall merge =
        new StoreCall.Transaction(
            List.of(
                Buckets.adjust(LimitChange.unconditional("rpm", 10, 0)),
                new WritePlan.Remove(shard.key(), "op-before", "op-1")),
            List.of(),
            "token-2");
    Answer cancelled = cancelled(reason("None"), refused(SampleJson.item(shard)));
    Run run = run(kind, merge, n -> cancelled);
    assertThat(run.bodies.get(0)).contains("\"Delete\":{").contains("\"op = :op0\"");
    assertThat(run.reply)
        .isEqualTo(
            new StoreReply.Cancelled(
                List.of(Cause.NONE, new Cause(true, shard, null)), new Receipt(0, 4, 0, DATE_MS)));
  }

  @Test
  void transaction_oneRefused_theOthersWouldHaveBeenMade() throws Exception {
    Answer cancelled = cancelled(reason("None"), refused(null), reason("TransactionConflict"));
    assertThat(run(TestStore.URL_CONNECTION_DEFAULT, n -> cancelled).reply)
        .isInstanceOfSatisfying(
            StoreReply.Cancelled.class,
            reply ->
                assertThat(reply.causes())
                    .containsExactly(Cause.NONE, new Cause(true, null, null), Cause.NONE));
  }

  @ParameterizedTest
  @EnumSource
  void transaction_conflict_isTriedAgainUpToTheLimit(TestStore kind) throws Exception {
    Run run =
        run(kind, n -> cancelled(reason("None"), reason("TransactionConflict"), reason("None")));
    assertThat(run.bodies).hasSize(SafeRetries.MAX_ATTEMPTS);
    assertNotApplied(run.reply, StoreFailure.Kind.CONFLICT);
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "URL_CONNECTION_SAFE", "NETTY_DEFAULT"})
  void transaction_conflictOnce_isCommitted(TestStore kind) throws Exception {
    Answer conflict = cancelled(reason("TransactionConflict"), reason("None"), reason("None"));
    Run run = run(kind, n -> n == 1 ? conflict : OK);
    assertThat(run.bodies).hasSize(2);
    assertThat(run.bodies.get(1)).contains("\"ClientRequestToken\":\"token-1\"");
    assertThat(run.reply).isInstanceOf(StoreReply.Committed.class);
  }

  @Test
  void transaction_throttled_isThrottled() throws Exception {
    for (Answer answer :
        List.of(
            cancelled(reason("ThrottlingError"), reason("None"), reason("None")),
            cancelled(reason("None"), reason("None"), reason("ProvisionedThroughputExceeded")),
            cancelled(reason("TransactionConflict"), reason("ThrottlingError"), reason("None")),
            Answer.error(400, "ProvisionedThroughputExceededException"))) {
      Run run = run(TestStore.URL_CONNECTION_DEFAULT, n -> answer);
      assertThat(run.bodies).hasSize(SafeRetries.MAX_ATTEMPTS);
      assertNotApplied(run.reply, StoreFailure.Kind.THROTTLED);
    }
  }

  /** Under its token it is made once, however often it is sent. */
  @ParameterizedTest
  @EnumSource
  void transaction_answerLostOnce_isSentAgain(TestStore kind) throws Exception {
    Run run = run(kind, n -> n == 1 ? new Answer.HangUp() : OK);
    assertThat(run.bodies).hasSize(2);
    assertThat(run.bodies.get(1)).isEqualTo(run.bodies.get(0));
    assertThat(run.reply).isInstanceOf(StoreReply.Committed.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "APACHE_SAFE", "NETTY_DEFAULT"})
  void transaction_answerAlwaysLost_isUnknown(TestStore kind) throws Exception {
    Run run = run(kind, n -> Answer.error(500, "InternalServerError"));
    assertThat(run.bodies).hasSize(TransactionSend.MAX_SENDS);
    assertUnknown(run.reply, StoreFailure.Kind.BROKEN);
  }

  /** The first try may have been made, whatever became of the second. */
  @Test
  void transaction_throttledAfterALostAnswer_isUnknown() throws Exception {
    for (Answer second :
        List.of(
            Answer.error(400, "ThrottlingException"),
            cancelled(reason("TransactionConflict"), reason("None"), reason("None")))) {
      Run run =
          run(
              TestStore.URL_CONNECTION_DEFAULT,
              n -> n == 1 ? Answer.error(500, "InternalServerError") : second);
      assertThat(run.reply).isInstanceOf(StoreReply.Unknown.class);
    }
  }

  @Test
  void transaction_refusedAfterALostAnswer_isCancelled() throws Exception {
    Answer refusal = cancelled(refused(null), reason("None"), reason("None"));
    Run run = run(TestStore.URL_CONNECTION_DEFAULT, n -> n == 1 ? new Answer.HangUp() : refusal);
    assertThat(run.reply).isInstanceOf(StoreReply.Cancelled.class);
  }

  /** It is ours that is under way: to say that it had no effect would be wrong. */
  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_SAFE"})
  void transaction_stillInProgress_isAskedAgainAndUnknown(TestStore kind) throws Exception {
    Run run = run(kind, n -> IN_PROGRESS);
    assertThat(run.bodies).hasSize(TransactionSend.MAX_SENDS);
    assertUnknown(run.reply, StoreFailure.Kind.TIMED_OUT);

    Run over = run(kind, n -> n == 1 ? IN_PROGRESS : OK);
    assertThat(over.reply).isInstanceOf(StoreReply.Committed.class);
  }

  @Test
  void transaction_noAnswerInTime_isUnknown() throws Exception {
    try (WireServer server = new WireServer(n -> n == 1 ? OK : new Answer.Silence());
        TestStore.Open open = TestStore.URL_CONNECTION_DEFAULT.open(server.endpoint())) {
      StoreReply unused = open.store().execute(CALL, LONG_MS); // the first call loads classes
      assertUnknown(open.store().execute(CALL, 300), StoreFailure.Kind.TIMED_OUT);
      assertThat(server.requests()).isEqualTo(2);
    }
  }

  @Test
  void transaction_tokenOfAnother_isABug() {
    assertThatThrownBy(
            () ->
                run(
                    TestStore.URL_CONNECTION_DEFAULT,
                    n -> Answer.error(400, "IdempotentParameterMismatchException")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("token 'token-1' was used for another transaction");
  }

  @Test
  void transaction_otherReason_isThrownAsItIs() {
    for (Answer answer :
        List.of(
            cancelled(reason("ValidationError"), reason("None"), reason("None")),
            cancelled(refused(null)))) { // fewer reasons than writes
      assertThatThrownBy(() -> run(TestStore.URL_CONNECTION_DEFAULT, n -> answer))
          .isInstanceOf(TransactionCanceledException.class);
    }
  }

  /** A single write that a transaction was in the way of. */
  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void write_conflict_isToldFromThrottling(TestStore kind) throws Exception {
    StoreCall write =
        new StoreCall.Write(Buckets.consume(new LimitChange("rpm", -1, 1, 1, 10_000)));
    Run run = run(kind, write, n -> Answer.error(400, "TransactionConflictException"));
    assertThat(run.bodies).hasSize(SafeRetries.MAX_ATTEMPTS);
    assertNotApplied(run.reply, StoreFailure.Kind.CONFLICT);
  }

  private record Run(List<String> bodies, StoreReply reply) {}

  private static Run run(TestStore kind, IntFunction<Answer> script) throws Exception {
    return run(kind, CALL, script);
  }

  private static Run run(TestStore kind, StoreCall call, IntFunction<Answer> script)
      throws Exception {
    try (WireServer server = new WireServer(script);
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply reply = open.store().execute(call, LONG_MS);
      return new Run(server.bodies(), reply);
    }
  }

  private static Answer cancelled(String... reasons) {
    return new Answer.Http(
        400,
        DATE,
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\","
            + "\"CancellationReasons\":["
            + String.join(",", reasons)
            + "]}");
  }

  private static String reason(String code) {
    return "{\"Code\":\"" + code + "\"}";
  }

  private static String refused(@Nullable String item) {
    return "{\"Code\":\"ConditionalCheckFailed\""
        + (item == null ? "}" : ",\"Item\":" + item + "}");
  }

  private static void assertUnknown(StoreReply reply, StoreFailure.Kind kind) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            StoreReply.Unknown.class, u -> assertThat(u.failure().kind()).isEqualTo(kind));
  }

  private static void assertNotApplied(StoreReply reply, StoreFailure.Kind kind) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            StoreReply.NotApplied.class, n -> assertThat(n.failure().kind()).isEqualTo(kind));
  }
}
