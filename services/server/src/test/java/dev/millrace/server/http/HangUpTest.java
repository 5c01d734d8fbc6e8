package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.Await;
import dev.millrace.server.Charged;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestParts;
import dev.millrace.server.TestServers;
import dev.millrace.server.Web;
import dev.millrace.server.security.LocalGuard;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.Gate;
import dev.millrace.testkit.InMemoryStore;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers on real sockets that hang up before they have their answer. */
class HangUpTest {
  private static final int CALLERS = 50;
  private static final int MANY_CALLERS = 800;

  private final InMemoryStore store = new InMemoryStore();
  private final FaultyStore faulty = FaultyStore.over(store);
  private final ServerParts parts = TestParts.on(store, faulty, new LocalGuard());
  private final MillraceServer server =
      TestServers.start(NetworkSettings.loopback(0), parts, LeaseSettings.defaults());

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void acquire_callerHangsUpWhileTheStoreAnswers_isGivenBack(String lease) throws Exception {
    acquireAndWait();
    Gate gate = new Gate();
    faulty.once(Calls.writes(), Fault.holdReply(gate));
    Socket caller = send(lease);
    gate.awaitArrivals(1);
    caller.close();
    Await.until("the server has seen it", () -> server.connections() <= 1);
    gate.open();
    Await.until("it is given back", () -> charged() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void acquire_callersHangUpRightAfterAsking_areGivenBack(String lease) throws Exception {
    acquireAndWait();
    CountDownLatch hungUp = holdWrites();
    for (int i = 0; i < CALLERS; i++) {
      send(lease).close();
    }
    hungUp.countDown();
    Await.until("they are gone", () -> server.connections() <= 1);
    Await.until("they are given back", () -> charged() == 1);
  }

  /** The case of a report: the store is fast, and every caller disconnects after its request. */
  @Test
  void acquire_eightHundredCallersAskAndAreGone_allAreGivenBack() throws Exception {
    acquireAndWait();
    for (int i = 0; i < MANY_CALLERS; i++) {
      send("true").close();
    }
    Await.until("they are gone", () -> server.connections() <= 1);
    Await.until("they are given back", () -> charged() == 1);
  }

  @Test
  void acquire_callersResetTheirConnections_areGivenBack() throws Exception {
    acquireAndWait();
    CountDownLatch hungUp = holdWrites();
    for (int i = 0; i < CALLERS; i++) {
      try (Socket caller = send("true")) {
        caller.setSoLinger(true, 0);
      }
    }
    hungUp.countDown();
    Await.until("they are gone", () -> server.connections() <= 1);
    Await.until("they are given back", () -> charged() == 1);
  }

  /** Lets no write through until all callers have hung up. */
  private CountDownLatch holdWrites() {
    CountDownLatch hungUp = new CountDownLatch(1);
    faulty.always(
        Calls.writes(),
        Fault.before(
            () -> {
              try {
                hungUp.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
    return hungUp;
  }

  /** One that stays, so that the bucket is there. */
  private void acquireAndWait() throws Exception {
    assertThat(Web.of(server).post(path(), body("true")).status()).isEqualTo(200);
  }

  private Socket send(String lease) throws IOException {
    byte[] body = body(lease).getBytes(StandardCharsets.UTF_8);
    String head =
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            .formatted(path(), body.length);
    Socket caller = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
    OutputStream out = caller.getOutputStream();
    out.write((head + new String(body, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8));
    out.flush();
    return caller;
  }

  private static String path() {
    return "/v1/namespaces/default/acquire";
  }

  private static String body(String lease) {
    return "{\"entity\":\"key-1\",\"resource\":\"gpt-4\",\"consume\":{\"rpm\":1},\"lease\":"
        + lease
        + ",\"limits\":[{\"name\":\"rpm\",\"rate\":1000,\"per\":\"PT1H\"}]}";
  }

  private long charged() {
    return Charged.tokens(store, "key-1", "rpm");
  }
}
