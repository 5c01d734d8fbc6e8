package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import dev.millrace.dynamodb.internal.call.CarryOverSteps;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The first contact with an old bucket, on the wire. */
@Timeout(60)
class CarryOverStepsTest {
  private static final long LONG_MS = 20_000;
  private static final BucketState NEW =
      BucketState.full(
          BucketKey.first("ns", "user", "gpt-4"),
          LimitSet.of(Limit.perMinute("rpm", 100)),
          1_706_000_000_000L);
  private static final StoreCall READ = new StoreCall.Read(NEW.key());
  private static final StoreCall CREATE = new StoreCall.Write(new WritePlan.Create(NEW));

  private static final Answer ABSENT = Answer.ok("{}");
  private static final Answer NOTHING_OLD = Answer.ok("{\"Items\":[],\"Count\":0}");
  private static final Answer OLD =
      Answer.ok("{\"Items\":" + SampleJson.items(List.of(old())) + ",\"Count\":1}");
  private static final Answer DONE = Answer.ok("{}");
  private static final Answer FOUND = Answer.ok("{\"Item\":" + SampleJson.item(NEW) + "}");
  private static final Answer REFUSED = cancelled("ConditionalCheckFailed");
  private static final Answer CONFLICT = cancelled("TransactionConflict");

  private static Answer cancelled(String code) {
    return new Answer.Http(
        400,
        "",
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#TransactionCanceledException\","
            + "\"CancellationReasons\":[{\"Code\":\"None\"},{\"Code\":\""
            + code
            + "\"}]}");
  }

  private static Map<String, AttributeValue> old() {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("PK", AttributeValue.fromS(OldBucketAddress.partition(NEW.key())));
    item.put("SK", AttributeValue.fromS(OldBucketAddress.first(NEW.key())));
    Map<String, Long> numbers =
        Map.of(
            "rf", 1_700_000_000_000L,
            "b_rpm_tk", 7_000L,
            "b_rpm_cp", 100_000L,
            "b_rpm_rp", 60_000L,
            "b_rpm_tc", 93_000L);
    numbers.forEach((name, number) -> item.put(name, AttributeValue.fromN(number.toString())));
    return item;
  }

  /** What was sent after the version record was looked up, and what the store replied. */
  private record Run(StoreReply reply, List<String> operations) {}

  private static Run run(TestStore kind, long oldest, StoreCall call, Answer... answers)
      throws Exception {
    List<Answer> script = new ArrayList<>();
    SchemaRecord schema = new SchemaRecord(SchemaRecord.SUPPORTED, oldest);
    script.add(Answer.ok(SampleJson.batch(List.of(RecordCodec.encode(schema)), List.of())));
    script.addAll(List.of(answers));
    try (WireServer server = new WireServer(n -> script.get(Math.min(n, script.size()) - 1));
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply unused =
          open.store()
              .execute(new StoreCall.Lookup(List.of(new RecordKey.Schema()), false), LONG_MS);
      StoreReply reply = open.store().execute(call, LONG_MS);
      return new Run(reply, server.operations().subList(1, server.requests()));
    }
  }

  private static Run run(StoreCall call, Answer... answers) throws Exception {
    return run(TestStore.URL_CONNECTION_SAFE, /* oldest= */ 1, call, answers);
  }

  private static void assertCarried(BucketState state) {
    assertThat(state.refilledAtMs()).isEqualTo(1_700_000_000_000L);
    assertThat(state.limits().get(0).tokensMilli()).isEqualTo(7_000);
    assertThat(state.limits().get(0).consumedMilli()).isEqualTo(93_000);
  }

  @Test
  void nothingOlder_readAndCreate_costNothingMore() throws Exception {
    TestStore kind = TestStore.URL_CONNECTION_SAFE;
    assertThat(run(kind, SchemaRecord.SUPPORTED, READ, ABSENT).operations)
        .containsExactly("GetItem");
    assertThat(run(kind, SchemaRecord.SUPPORTED, CREATE, DONE).operations)
        .containsExactly("PutItem");
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_SAFE", "NETTY_SAFE"})
  void read_oldBucket_isFound(TestStore kind) throws Exception {
    Run run = run(kind, /* oldest= */ 1, READ, ABSENT, OLD, DONE);

    assertThat(run.operations).containsExactly("GetItem", "Query", "TransactWriteItems");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Found.class,
            found -> {
              assertThat(found.state()).isNotNull();
              assertCarried(found.state() == null ? NEW : found.state());
              assertThat(found.receipt().writeUnits()).isEqualTo(4);
            });
  }

  @Test
  void read_bucketThatIsThere_isNotLookedFor() throws Exception {
    assertThat(run(READ, FOUND).operations).containsExactly("GetItem");
  }

  @Test
  void read_nothingOld_isNotFound() throws Exception {
    Run run = run(READ, ABSENT, NOTHING_OLD);

    assertThat(run.operations).containsExactly("GetItem", "Query");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Found.class, found -> assertThat(found.state()).isNull());
  }

  @Test
  void readAll_oldBucket_isFoundAmongTheOthers() throws Exception {
    Answer none = Answer.ok(SampleJson.batch(List.of(), List.of()));
    StoreCall call = new StoreCall.ReadAll(List.of(NEW.key(), NEW.key().withShard(1)));

    Run run = run(call, none, OLD, DONE);

    assertThat(run.operations).containsExactly("BatchGetItem", "Query", "TransactWriteItems");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.FoundAll.class,
            found -> assertThat(found.states()).containsOnlyKeys(NEW.key()));
  }

  @Test
  void create_oldBucket_isRefusedByWhatWasCarriedOver() throws Exception {
    Run run = run(CREATE, OLD, DONE);

    assertThat(run.operations).containsExactly("Query", "TransactWriteItems");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Refused.class,
            refused -> assertCarried(refused.state() == null ? NEW : refused.state()));
  }

  @Test
  void create_nothingOld_isMade() throws Exception {
    Run run = run(CREATE, NOTHING_OLD, DONE);

    assertThat(run.operations).containsExactly("Query", "PutItem");
    assertThat(run.reply).isInstanceOf(StoreReply.Applied.class);
  }

  @Test
  void transaction_thatMakesAnOldBucket_isCancelledByIt() throws Exception {
    StoreCall call =
        new StoreCall.Transaction(List.of(new WritePlan.Create(NEW)), List.of(), "token");

    Run run = run(call, OLD, DONE);

    assertThat(run.operations).containsExactly("Query", "TransactWriteItems");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Cancelled.class,
            cancelled -> {
              Cause cause = cancelled.causes().get(0);
              assertThat(cause.refused()).isTrue();
              assertCarried(cause.state() == null ? NEW : cause.state());
            });
  }

  @Test
  void carryOver_somebodyWasQuicker_takesTheirs() throws Exception {
    Run run = run(READ, ABSENT, OLD, REFUSED, FOUND);

    assertThat(run.operations).containsExactly("GetItem", "Query", "TransactWriteItems", "GetItem");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Found.class, found -> assertThat(found.state()).isEqualTo(NEW));
  }

  @Test
  void carryOver_somebodyIsAtIt_waitsAndTakesTheirs() throws Exception {
    Run run = run(READ, ABSENT, OLD, CONFLICT, CONFLICT, CONFLICT, FOUND);

    assertThat(run.operations).endsWith("TransactWriteItems", "GetItem");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Found.class, found -> assertThat(found.state()).isEqualTo(NEW));
  }

  @Test
  void carryOver_oldClientsWriteEveryTime_givesUpAfterItsTries() throws Exception {
    List<Answer> answers = new ArrayList<>(List.of(ABSENT));
    for (int i = 0; i < CarryOverSteps.MAX_TRIES; i++) {
      answers.addAll(List.of(OLD, REFUSED, ABSENT));
    }

    Run run = run(READ, answers.toArray(Answer[]::new));

    assertThat(run.operations).hasSize(answers.size());
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.NotApplied.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(StoreFailure.Kind.CONTENDED));
  }

  @Test
  void carryOver_lostAnswer_hadNoEffectThatMatters() throws Exception {
    Run run = run(CREATE, OLD, new Answer.HangUp());

    assertThat(run.operations).containsExactly("Query", "TransactWriteItems");
    assertThat(run.reply).isInstanceOf(StoreReply.NotApplied.class);
  }
}
