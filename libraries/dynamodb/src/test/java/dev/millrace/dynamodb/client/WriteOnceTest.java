package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.LimiterConfigurationException;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.WireServer;
import dev.millrace.dynamodb.WireServer.Answer;
import java.net.ServerSocket;
import java.net.URI;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A write whose outcome is unknown is sent once, whatever client the store was given and however
 * that client retries by itself. The original let the SDK resend: one lost answer took the tokens
 * twice.
 */
@Timeout(60)
class WriteOnceTest {
  private static final long LONG_MS = 20_000;
  private static final StoreCall WRITE =
      new StoreCall.Write(Buckets.consume(new LimitChange("rpm", -1_000, 1_000, 1_000, 10_000)));
  private static final StoreCall CREATE = new StoreCall.Write(Buckets.create("rpm"));
  private static final StoreCall READ = new StoreCall.Read(Buckets.KEY);
  private static final Answer OK = Answer.ok(SampleJson.updated());

  @ParameterizedTest
  @EnumSource
  void write_answerLost_isSentOnce(TestStore kind) throws Exception {
    Run run = run(kind, n -> new Answer.HangUp(), WRITE);
    assertThat(run.requests).isEqualTo(1);
    assertUnknown(run.reply, StoreFailure.Kind.BROKEN);
  }

  @ParameterizedTest
  @EnumSource
  void create_answerLost_isSentOnce(TestStore kind) throws Exception {
    Run run = run(kind, n -> new Answer.HangUp(), CREATE);
    assertThat(run.requests).isEqualTo(1);
    assertUnknown(run.reply, StoreFailure.Kind.BROKEN);
  }

  /** The JDK's client has its own idea: it resends on a kept connection that breaks. */
  @ParameterizedTest
  @EnumSource
  void write_answerLostOnKeptConnection_isSentOnce(TestStore kind) throws Exception {
    Run run = run(kind, n -> n == 1 ? OK : new Answer.HangUp(), WRITE, WRITE);
    assertThat(run.requests).isEqualTo(2);
    assertUnknown(run.reply, StoreFailure.Kind.BROKEN);
  }

  @ParameterizedTest
  @EnumSource
  void write_halfAnAnswer_isSentOnce(TestStore kind) throws Exception {
    Run run = run(kind, n -> new Answer.Half("{"), WRITE);
    assertThat(run.requests).isEqualTo(1);
    assertUnknown(run.reply, StoreFailure.Kind.BROKEN);
  }

  @ParameterizedTest
  @EnumSource
  void write_storeFailsInside_isSentOnce(TestStore kind) throws Exception {
    Run run = run(kind, n -> Answer.error(500, "InternalServerError"), WRITE);
    assertThat(run.requests).isEqualTo(1);
    assertUnknown(run.reply, StoreFailure.Kind.BROKEN);
  }

  @ParameterizedTest
  @EnumSource
  void write_noAnswerInTime_isSentOnce(TestStore kind) throws Exception {
    try (WireServer server = new WireServer(n -> n == 1 ? OK : new Answer.Silence());
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply unused = open.store().execute(WRITE, LONG_MS); // the first call loads classes
      StoreReply reply = open.store().execute(WRITE, 300);
      assertUnknown(reply, StoreFailure.Kind.TIMED_OUT);
      assertThat(server.requests()).isEqualTo(2);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_throttled_isRetriedUpToTheLimit(TestStore kind) throws Exception {
    for (String code :
        new String[] {
          "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"
        }) {
      Run run = run(kind, n -> Answer.error(400, code), WRITE);
      assertThat(run.requests).as(code).isEqualTo(SafeRetries.MAX_ATTEMPTS);
      assertNotApplied(run.reply, StoreFailure.Kind.THROTTLED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_turnedAwayOnce_isApplied(TestStore kind) throws Exception {
    Answer conflict = Answer.error(400, "TransactionConflictException");
    Run run = run(kind, n -> n == 1 ? conflict : OK, WRITE);
    assertThat(run.requests).isEqualTo(2);
    assertThat(run.reply).isInstanceOf(StoreReply.Applied.class);
  }

  /**
   * The SDK learns the time from the refusal and signs again. One client only: what it learns holds
   * for the whole process, so that the next one would not be wrong.
   */
  @Test
  void write_clockIsWrong_isSignedAgain() throws Exception {
    Answer skewed =
        new Answer.Http(
            403,
            "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
            "{\"__type\":\"com.amazon.coral.service#InvalidSignatureException\"}");
    Run run = run(TestStore.URL_CONNECTION_DEFAULT, n -> n == 1 ? skewed : OK, WRITE);
    assertThat(run.requests).isEqualTo(2);
    assertThat(run.reply).isInstanceOf(StoreReply.Applied.class);
  }

  @ParameterizedTest
  @EnumSource
  void write_nobodyListens_isNotApplied(TestStore kind) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    try (TestStore.Open open = kind.open(URI.create("http://127.0.0.1:" + port))) {
      assertNotApplied(open.store().execute(WRITE, LONG_MS), StoreFailure.Kind.UNREACHABLE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void write_unknownHost_isNotApplied(TestStore kind) throws Exception {
    try (TestStore.Open open = kind.open(URI.create("http://dynamodb.invalid"))) {
      assertNotApplied(open.store().execute(WRITE, LONG_MS), StoreFailure.Kind.UNREACHABLE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void read_answerLost_hadNoEffect(TestStore kind) throws Exception {
    Run run = run(kind, n -> new Answer.HangUp(), READ);
    assertNotApplied(run.reply, StoreFailure.Kind.BROKEN);
  }

  /** What writes are spared; also shows that this server would notice. */
  @Test
  void read_answerLostDefaultClient_isSentAgain() throws Exception {
    Run run =
        run(
            TestStore.URL_CONNECTION_DEFAULT,
            n -> n == 1 ? new Answer.HangUp() : Answer.ok("{}"),
            READ);
    assertThat(run.requests).isEqualTo(2);
    assertThat(run.reply).isInstanceOf(StoreReply.Found.class);
  }

  @ParameterizedTest
  @EnumSource
  void write_noTable_isAMistake(TestStore kind) {
    assertThatThrownBy(() -> run(kind, n -> Answer.error(400, "ResourceNotFoundException"), WRITE))
        .satisfies(
            thrown -> {
              Throwable mistake = kind.isNetty() ? thrown.getCause() : thrown;
              assertThat(mistake)
                  .isInstanceOfSatisfying(
                      LimiterConfigurationException.class,
                      e -> {
                        assertThat(e.summary()).isEqualTo("the table does not exist");
                        assertThat(e.attributes())
                            .containsEntry("table", "limits")
                            .containsEntry("operation", "UpdateItem")
                            .containsEntry("errorCode", "ResourceNotFoundException")
                            .containsKey("todo");
                      });
            });
  }

  private record Run(int requests, StoreReply reply) {}

  /** Makes the calls one after the other; the reply is that to the last. */
  private static Run run(TestStore kind, IntFunction<Answer> script, StoreCall... calls)
      throws Exception {
    try (WireServer server = new WireServer(script);
        TestStore.Open open = kind.open(server.endpoint())) {
      StoreReply reply = null;
      for (StoreCall call : calls) {
        reply = open.store().execute(call, LONG_MS);
      }
      if (reply == null) {
        throw new IllegalArgumentException("no calls");
      }
      return new Run(server.requests(), reply);
    }
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
