package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers on the wire, as replies with their receipts. */
@Timeout(60)
class RepliesTest {
  private static final long TIMEOUT_MS = 20_000;
  private static final String DATE = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";
  private static final long DATE_MS = 1_767_225_600_000L;
  private static final BucketState STATE = Buckets.state("rpm");
  private static final StoreCall READ = new StoreCall.Read(Buckets.KEY);
  private static final StoreCall CREATE = new StoreCall.Write(Buckets.create("rpm"));
  private static final StoreCall UPDATE =
      new StoreCall.Write(Buckets.consume(new LimitChange("rpm", -1, 1, 1, 10_000)));

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void read_found_carriesStateAndReceipt(TestStore kind) throws Exception {
    String json =
        "{\"ConsumedCapacity\":{\"TableName\":\"limits\",\"CapacityUnits\":1.5},\"Item\":"
            + SampleJson.item(STATE)
            + "}";
    assertThat(reply(kind, json, READ))
        .isEqualTo(new StoreReply.Found(STATE, new Receipt(1.5, 0, 0, DATE_MS)));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void read_nothingThere_stillCostsARead(TestStore kind) throws Exception {
    assertThat(reply(kind, "{}", READ))
        .isEqualTo(new StoreReply.Found(null, new Receipt(1, 0, 0, DATE_MS)));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void create_applied_answersWhatWasPut(TestStore kind) throws Exception {
    String json =
        "{\"ConsumedCapacity\":{\"CapacityUnits\":3.0,\"Table\":{\"CapacityUnits\":1.0},"
            + "\"GlobalSecondaryIndexes\":{\"GSI2\":{\"CapacityUnits\":1.0},"
            + "\"GSI3\":{\"CapacityUnits\":1.0}}}}";
    assertThat(reply(kind, json, CREATE))
        .isEqualTo(new StoreReply.Applied(STATE, new Receipt(0, 1, 2, DATE_MS)));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void update_applied_answersTheItem(TestStore kind) throws Exception {
    String json =
        "{\"ConsumedCapacity\":{\"CapacityUnits\":1.0},\"Attributes\":"
            + SampleJson.item(STATE)
            + "}";
    assertThat(reply(kind, json, UPDATE))
        .isEqualTo(new StoreReply.Applied(STATE, new Receipt(0, 1, 0, DATE_MS)));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void update_refused_answersTheItemAndIsBilled(TestStore kind) throws Exception {
    Answer refusal = refusal(",\"Item\":" + SampleJson.item(STATE));
    assertThat(reply(kind, refusal, UPDATE))
        .isEqualTo(new StoreReply.Refused(STATE, new Receipt(0, 1, 0, DATE_MS)));
  }

  @ParameterizedTest
  @EnumSource(names = {"URL_CONNECTION_DEFAULT", "NETTY_DEFAULT"})
  void update_refusedByNothing_answersNothingAndIsBilled(TestStore kind) throws Exception {
    assertThat(reply(kind, refusal(""), UPDATE))
        .isEqualTo(new StoreReply.Refused(null, new Receipt(0, 1, 0, DATE_MS)));
  }

  @Test
  void update_refusedByALargeItem_isBilledForItsSize() throws Exception {
    String padding = "\"x\":{\"S\":\"" + "x".repeat(2_000) + "\"},";
    Answer refusal = refusal(",\"Item\":{" + padding + SampleJson.item(STATE).substring(1));
    assertThat(reply(TestStore.URL_CONNECTION_DEFAULT, refusal, UPDATE).receipt().writeUnits())
        .isEqualTo(3);
  }

  @Test
  void reply_noDate_hasNoTime() throws Exception {
    StoreReply reply = reply(TestStore.URL_CONNECTION_DEFAULT, Answer.ok("{}"), READ);
    assertThat(reply.receipt().storeTimeMs()).isEqualTo(Receipt.NO_TIME);
  }

  @Test
  void failure_withDate_hasTime() throws Exception {
    Answer error = new Answer.Http(500, DATE, "{\"__type\":\"InternalServerError\"}");
    assertThat(reply(TestStore.URL_CONNECTION_DEFAULT, error, UPDATE).receipt())
        .isEqualTo(new Receipt(0, 0, 0, DATE_MS));
  }

  @Test
  void update_corruptItem_isNoReply() {
    assertThatThrownBy(
            () ->
                reply(
                    TestStore.URL_CONNECTION_DEFAULT,
                    "{\"Attributes\":{\"rf\":{\"N\":\"1\"}}}",
                    UPDATE))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("corrupt bucket item");
  }

  private static Answer refusal(String more) {
    return new Answer.Http(
        400,
        DATE,
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException\""
            + more
            + "}");
  }

  private static StoreReply reply(TestStore kind, String json, StoreCall call) throws Exception {
    return reply(kind, new Answer.Http(200, DATE, json), call);
  }

  private static StoreReply reply(TestStore kind, Answer answer, StoreCall call) throws Exception {
    try (WireServer server = new WireServer(n -> answer);
        TestStore.Open open = kind.open(server.endpoint())) {
      return open.store().execute(call, TIMEOUT_MS);
    }
  }
}
