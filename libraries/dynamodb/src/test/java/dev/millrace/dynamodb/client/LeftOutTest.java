package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.Records;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import dev.millrace.dynamodb.internal.call.RetryBudget;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What DynamoDB leaves out of a batch for want of throughput. The original took a key that was left
 * out for one that is not there: parents were skipped and the limits of a wrong level enforced.
 */
@Timeout(60)
class LeftOutTest {
  private static final long LONG_MS = 20_000;

  private static final EntityRecord X = Records.entity("ns", "x", null);
  private static final EntityRecord Y = Records.entity("ns", "y", null);
  private static final StoreCall LOOKUP =
      new StoreCall.Lookup(List.of(X.key(), Y.key(), new RecordKey.Entity("ns", "z")), true);

  private static final BucketState BUCKET = Buckets.state("rpm");
  private static final BucketKey OTHER = BucketKey.first("ns", "user-2", "gpt-4");
  private static final StoreCall READ_ALL = new StoreCall.ReadAll(List.of(BUCKET.key(), OTHER));

  private static final ItemAddress ITEM = new ItemAddress("ns/ENTITY#x", "#META");
  private static final StoreCall ERASE = new StoreCall.Erase(List.of(OTHER), List.of(ITEM));

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void lookup_keyLeftOut_isAskedForAgain(TestStore kind) throws Exception {
    Run run =
        run(
            kind,
            LOOKUP,
            n ->
                n == 1
                    ? SampleJson.batch(List.of(RecordCodec.encode(Y)), List.of(key(X)))
                    : SampleJson.batch(List.of(RecordCodec.encode(X)), List.of()));
    assertThat(run.bodies).hasSize(2);
    assertThat(run.bodies.get(0)).contains("ENTITY#x", "ENTITY#y", "ENTITY#z");
    assertThat(run.bodies.get(1))
        .contains("ENTITY#x", "\"ConsistentRead\":true")
        .doesNotContain("ENTITY#y", "ENTITY#z");
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Records.class,
            found -> assertThat(found.records()).isEqualTo(Map.of(X.key(), X, Y.key(), Y)));
    assertThat(run.reply.receipt().readUnits()).as("of both requests").isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void readAll_keyLeftOut_isAskedForAgain(TestStore kind) throws Exception {
    Run run =
        run(
            kind,
            READ_ALL,
            n ->
                n == 1
                    ? SampleJson.batch(List.of(), List.of(BucketCodec.key(BUCKET.key())))
                    : SampleJson.batch(List.of(BucketCodec.encode(BUCKET)), List.of()));
    assertThat(run.bodies).hasSize(2);
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.FoundAll.class,
            found -> assertThat(found.states()).isEqualTo(Map.of(BUCKET.key(), BUCKET)));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void lookup_keyAlwaysLeftOut_isThrottledAndNeverPartial(TestStore kind) throws Exception {
    Run run =
        run(
            kind,
            LOOKUP,
            n ->
                n == 1
                    ? SampleJson.batch(List.of(RecordCodec.encode(Y)), List.of(key(X)))
                    : SampleJson.batch(List.of(), List.of(key(X))));
    assertThat(run.bodies).hasSize(RetryBudget.MAX_ROUNDS);
    assertNotApplied(run.reply, StoreFailure.Kind.THROTTLED);
    assertThat(run.reply.receipt().readUnits()).as("what was read is paid for").isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void lookup_keyLeftOutAndLittleTime_endsInTime(TestStore kind) throws Exception {
    Run unused = run(kind, LOOKUP, n -> SampleJson.batch(List.of(), List.of())); // loads classes
    long startNanos = System.nanoTime();
    Run run = run(kind, LOOKUP, 400, n -> SampleJson.batch(List.of(), List.of(key(X))));
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.NotApplied.class,
            n ->
                assertThat(n.failure().kind()) // on a busy machine the last answer may be late
                    .isIn(StoreFailure.Kind.THROTTLED, StoreFailure.Kind.TIMED_OUT));
    assertThat(System.nanoTime() - startNanos).isLessThan(LONG_MS * 1_000_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_SAFE", "NETTY_SAFE"})
  void lookup_storeFailsTheSecondTime_isNeverPartial(TestStore kind) throws Exception {
    try (WireServer server =
            new WireServer(
                n ->
                    n == 1
                        ? Answer.ok(
                            SampleJson.batch(List.of(RecordCodec.encode(Y)), List.of(key(X))))
                        : Answer.error(400, "ProvisionedThroughputExceededException"));
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply reply = open.store().execute(LOOKUP, LONG_MS);
      assertNotApplied(reply, StoreFailure.Kind.THROTTLED);
      assertThat(reply.receipt().readUnits()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void listPage_recordLeftOut_isAskedForAgain(TestStore kind) throws Exception {
    String keys =
        "{\"Items\":[{\"PK\":{\"S\":\"ns/AUDIT#x\"},\"SK\":{\"S\":\"#AUDIT#1\"},"
            + "\"GSI4PK\":{\"S\":\"ns/AUDIT\"},\"GSI4SK\":{\"S\":\"1\"}}],"
            + "\"ConsumedCapacity\":{\"CapacityUnits\":0.5}}";
    Map<String, AttributeValue> item = RecordCodec.encode(Records.audit("ns", "x", "1"));
    Run run =
        run(
            kind,
            new StoreCall.ListPage(new Listing.AuditOfNamespace("ns", "", ""), 10, null),
            n ->
                switch (n) {
                  case 1 -> keys;
                  case 2 ->
                      SampleJson.batch(
                          List.of(), List.of(RecordCodec.key(new RecordKey.Audit("ns", "x", "1"))));
                  default -> SampleJson.batch(List.of(item), List.of());
                });
    assertThat(run.bodies).hasSize(3);
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Page.class, page -> assertThat(page.entries()).hasSize(1));
    assertThat(run.reply.receipt().readUnits()).isEqualTo(1.5);
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void erase_itemLeftOut_isAskedForAgain(TestStore kind) throws Exception {
    Run run =
        run(
            kind,
            ERASE,
            n ->
                n == 1
                    ? SampleJson.erased(1, List.of(BucketCodec.key(OTHER)))
                    : SampleJson.erased(1, List.of()));
    assertThat(run.bodies).hasSize(2);
    assertThat(run.bodies.get(1)).contains("user-2").doesNotContain("ENTITY#x");
    assertThat(run.reply).isInstanceOf(StoreReply.Erased.class);
    assertThat(run.reply.receipt().writeUnits()).isEqualTo(2);
  }

  /** Some are gone, so it cannot be said that nothing happened. */
  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void erase_itemAlwaysLeftOut_isUnknown(TestStore kind) throws Exception {
    Run run = run(kind, ERASE, n -> SampleJson.erased(1, List.of(BucketCodec.key(OTHER))));
    assertThat(run.bodies).hasSize(RetryBudget.MAX_ROUNDS);
    assertThat(run.reply)
        .isInstanceOfSatisfying(
            StoreReply.Unknown.class,
            u -> assertThat(u.failure().kind()).isEqualTo(StoreFailure.Kind.THROTTLED));
  }

  @Test
  void erase_everythingAlwaysLeftOut_hadNoEffect() throws Exception {
    Run run =
        run(
            TestStore.URL_CONNECTION_DEFAULT,
            ERASE,
            n ->
                SampleJson.erased(
                    0,
                    List.of(
                        BucketCodec.key(OTHER), RecordCodec.key(new RecordKey.Entity("ns", "x")))));
    assertNotApplied(run.reply, StoreFailure.Kind.THROTTLED);
  }

  @Test
  void lookup_interruptedInAPause_answersAndStaysInterrupted() throws Exception {
    Thread caller = Thread.currentThread();
    try (WireServer server =
            new WireServer(
                n -> {
                  caller.interrupt();
                  return Answer.ok(SampleJson.batch(List.of(), List.of(key(X))));
                });
        TestStore.Open open = TestStore.URL_CONNECTION_DEFAULT.open(server.endpoint())) {
      StoreReply reply = open.store().execute(LOOKUP, LONG_MS);
      assertThat(Thread.interrupted()).isTrue(); // and cleared, for the next test
      assertNotApplied(reply, StoreFailure.Kind.INTERRUPTED);
    }
  }

  private record Run(List<String> bodies, StoreReply reply) {}

  private static Run run(TestStore kind, StoreCall call, IntFunction<String> script)
      throws Exception {
    return run(kind, call, LONG_MS, script);
  }

  private static Run run(TestStore kind, StoreCall call, long timeoutMs, IntFunction<String> script)
      throws Exception {
    try (WireServer server = new WireServer(n -> Answer.ok(script.apply(n)));
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply reply = open.store().execute(call, timeoutMs);
      return new Run(server.bodies(), reply);
    }
  }

  private static void assertNotApplied(StoreReply reply, StoreFailure.Kind kind) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            StoreReply.NotApplied.class, n -> assertThat(n.failure().kind()).isEqualTo(kind));
  }

  private static Map<String, AttributeValue> key(EntityRecord entity) {
    return RecordCodec.key(entity.key());
  }
}
