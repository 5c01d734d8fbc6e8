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
import dev.millrace.testkit.InMemoryStore;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class LeaseRoutesTest {
  private static final String BASE = "/v1/namespaces/default";

  private static final InMemoryStore STORE = new InMemoryStore();
  private static final LeaseSettings.Secret SECRET = LeaseSettings.Secret.random();
  private static final ServerParts PARTS = TestParts.on(STORE);
  private static final MillraceServer SERVER =
      start(LeaseSettings.of(SECRET, null, 100_000), PARTS, 0);

  /** Each test has a bucket of its own. */
  private final String entity = "key-" + UUID.randomUUID();

  private final Web web = Web.of(SERVER);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void settle_afterAdjusts_writesTheDifferenceOnce() throws Exception {
    String id = acquire("");
    assertThat(post(id, "adjust", "{\"adjust\":{\"tpm\":-120}}").status()).isEqualTo(200);
    assertThat(charged()).isEqualTo(500); // recorded, not written
    Web.Answer settled = post(id, "settle", "{\"adjust\":{\"tpm\":20}}");
    assertThat(settled.status()).isEqualTo(200);
    assertThat(settled.body().at("/lease/state").asText()).isEqualTo("SETTLED");
    assertThat(settled.body().at("/lease/consumed/gpt-4/tpm").asLong()).isEqualTo(400);
    assertThat(charged()).isEqualTo(400);
    Web.Answer again = post(id, "settle", "{\"adjust\":{\"tpm\":20}}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(settled.body());
    assertThat(charged()).isEqualTo(400);
  }

  @Test
  void settle_withWhatWasReallyUsed_chargesThat() throws Exception {
    String id = acquire("");
    assertThat(post(id, "settle", "{\"actual\":{\"tpm\":2300}}").status()).isEqualTo(200);
    assertThat(charged()).isEqualTo(2300); // below zero
  }

  @Test
  void settle_otherwiseAfterTheEnd_isRefusedWithWhatItEndedAs() throws Exception {
    String id = acquire("");
    post(id, "release", "");
    Web.Answer answer = post(id, "settle", "");
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("lease-ended");
    assertThat(answer.body().at("/endedAs").asText()).isEqualTo("RELEASED");
    assertThat(post(id, "adjust", "{\"adjust\":{\"tpm\":1}}").status()).isEqualTo(409);
    assertThat(charged()).isZero();
  }

  @Test
  void adjust_belowNothing_changesNoLimitAtAll() throws Exception {
    String id = acquire("");
    assertThat(post(id, "adjust", "{\"adjust\":{\"rpm\":-1,\"tpm\":-501}}").status())
        .isEqualTo(400);
    assertThat(post(id, "settle", "").body().at("/lease/consumed/gpt-4/rpm").asLong()).isEqualTo(1);
  }

  /** Thousands of leases a second that live for an hour would fill the memory with timers. */
  @Test
  void settle_beforeTheExpiry_leavesNoTimerBehind() throws Exception {
    String id = acquire(",\"ttl\":\"PT1H\"");
    assertThat(gauge("timers")).isPositive();
    post(id, "settle", "");
    Await.until("only open leases have timers", () -> gauge("timers") == gauge("open"));
  }

  private static double gauge(String name) {
    return PARTS.meters().get("millrace.server.leases." + name).gauge().value();
  }

  @Test
  void consume_more_isCheckedAndCharged() throws Exception {
    String id = acquire("");
    Web.Answer more = post(id, "consume", "{\"consume\":{\"tpm\":1000}}");
    assertThat(more.body().at("/lease/consumed/gpt-4/tpm").asLong()).isEqualTo(1500);
    assertThat(post(id, "consume", "{\"consume\":{\"tpm\":1000}}").status()).isEqualTo(429);
    assertThat(charged()).isEqualTo(1500);
  }

  @Test
  void expiry_keep_writesWhatWasAdjusted() throws Exception {
    String id = acquire(",\"ttl\":\"PT0.5S\"");
    post(id, "adjust", "{\"adjust\":{\"tpm\":-100}}");
    Await.until("it expired", () -> state(id).equals("EXPIRED"));
    Await.until("its adjusts are written", () -> charged() == 400);
    assertThat(post(id, "release", "").status()).isEqualTo(409);
    assertThat(charged()).isEqualTo(400);
  }

  @Test
  void settle_afterTheExpiry_stillChargesTheTrueCost() throws Exception {
    String id = acquire(",\"ttl\":\"PT0.3S\"");
    post(id, "adjust", "{\"adjust\":{\"tpm\":-100}}");
    Await.until("its adjusts are written", () -> charged() == 400);

    Web.Answer settled = post(id, "settle", "{\"actual\":{\"tpm\":900}}");

    assertThat(settled.status()).isEqualTo(200);
    assertThat(settled.body().at("/lease/state").asText()).isEqualTo("SETTLED");
    assertThat(settled.body().at("/lease/consumed/gpt-4/tpm").asInt()).isEqualTo(900);
    assertThat(charged()).isEqualTo(900);
    assertThat(post(id, "settle", "{\"actual\":{\"tpm\":900}}").body()).isEqualTo(settled.body());
    assertThat(post(id, "settle", "{\"actual\":{\"tpm\":1}}").status()).isEqualTo(409);
    assertThat(charged()).isEqualTo(900);
  }

  @Test
  void settle_afterAnExpiryThatGaveBack_chargesTheTrueCost() throws Exception {
    String id = acquire(",\"ttl\":\"PT0.3S\",\"onExpiry\":\"REFUND\"");
    Await.until("all is given back", () -> state(id).equals("EXPIRED") && charged() == 0);

    assertThat(post(id, "settle", "{\"adjust\":{\"tpm\":-600}}").status()).isEqualTo(400);
    assertThat(state(id)).isEqualTo("EXPIRED");
    assertThat(charged()).isZero();

    Web.Answer settled = post(id, "settle", "{\"adjust\":{\"tpm\":-120}}");
    assertThat(settled.status()).isEqualTo(200);
    assertThat(charged()).as("of the 500 that it stood for").isEqualTo(380);
  }

  @Test
  void expiry_refund_givesEverythingBack() throws Exception {
    String id = acquire(",\"ttl\":\"PT0.3S\",\"onExpiry\":\"REFUND\"");
    Await.until("it expired", () -> state(id).equals("EXPIRED"));
    Await.until("all is given back", () -> charged() == 0);
  }

  @Test
  void extend_beforeTheEnd_letsItLive() throws Exception {
    String id = acquire(",\"ttl\":\"PT2S\"");
    Web.Answer extended = post(id, "extend", "{\"ttl\":\"PT1H\"}");
    assertThat(extended.status()).isEqualTo(200);
    String other = acquire(",\"ttl\":\"PT2.2S\"");
    Await.until("the later one expired", () -> state(other).equals("EXPIRED"));
    assertThat(state(id)).isEqualTo("OPEN");
  }

  @Test
  void id_thatWasMadeUpOrChanged_isUnknown() throws Exception {
    String id = acquire("");
    char last = id.charAt(20);
    String changed = id.substring(0, 20) + (last == 'A' ? 'B' : 'A') + id.substring(21);
    for (String wrong : List.of(changed, "x", "AAAA", id + "A", id + "=", "a".repeat(500))) {
      Web.Answer answer = web.get(BASE + "/leases/" + wrong);
      assertThat(answer.status()).as(wrong).isEqualTo(404);
    }
    assertThat(web.get("/v1/namespaces/other/leases/" + id).problem()).isEqualTo("unknown-lease");
    assertThat(state(id)).isEqualTo("OPEN");
  }

  @Test
  void id_ofAServerThatIsGone_isLost() throws Exception {
    String id;
    try (MillraceServer gone =
        start(LeaseSettings.of(SECRET, null, 100_000), TestParts.on(STORE), 0)) {
      id = acquire(Web.of(gone), "");
    }
    Web.Answer answer = post(id, "settle", "");
    assertThat(answer.status()).isEqualTo(410);
    assertThat(answer.problem()).isEqualTo("lease-lost");
    assertThat(charged()).isEqualTo(500);
  }

  @Test
  void id_ofAnotherServer_isPassedOnToIt() throws Exception {
    int port = freePort();
    URI address = URI.create("http://127.0.0.1:" + port + "/");
    LeaseSettings advertised = LeaseSettings.of(SECRET, address, 100_000);
    String id;
    try (MillraceServer other = start(advertised, TestParts.on(STORE), port)) {
      id = acquire(Web.of(other), "");
      Web.Answer answer = post(id, "settle", "{\"actual\":{\"tpm\":380}}");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().at("/lease/state").asText()).isEqualTo("SETTLED");
      assertThat(charged()).isEqualTo(380);
      assertThat(post(id, "release", "").problem()).isEqualTo("lease-ended");
      id = acquire(Web.of(other), "");
    }
    assertThat(post(id, "settle", "").problem()).isEqualTo("lease-lost"); // nobody is there
    try (MillraceServer restarted = start(advertised, TestParts.on(STORE), port)) {
      assertThat(restarted.uri().getPort()).isEqualTo(port);
      assertThat(post(id, "settle", "").problem()).isEqualTo("lease-lost"); // not that one
    }
  }

  @Test
  void close_withOpenLeases_settlesThem() throws Exception {
    try (MillraceServer stopped =
        start(LeaseSettings.of(SECRET, null, 100_000), TestParts.on(STORE), 0)) {
      Web there = Web.of(stopped);
      String id = acquire(there, "");
      there.post(BASE + "/leases/" + id + "/adjust", "{\"adjust\":{\"tpm\":-300}}");
    }
    assertThat(charged()).isEqualTo(200);
  }

  private static int freePort() throws java.io.IOException {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static MillraceServer start(LeaseSettings settings, ServerParts parts, int port) {
    return TestServers.start(NetworkSettings.loopback(port), parts, settings);
  }

  private String acquire(String more) throws Exception {
    return acquire(web, more);
  }

  private String acquire(Web at, String more) throws Exception {
    Web.Answer answer =
        at.post(
            BASE + "/acquire",
            "{\"entity\":\""
                + entity
                + "\",\"resource\":\"gpt-4\",\"consume\":{\"rpm\":1,\"tpm\":500},"
                + "\"limits\":[{\"name\":\"rpm\",\"rate\":10,\"per\":\"PT1H\"},"
                + "{\"name\":\"tpm\",\"rate\":2000,\"per\":\"PT1H\"}]"
                + more
                + "}");
    assertThat(answer.status()).isEqualTo(200);
    return answer.body().at("/lease/id").asText();
  }

  private Web.Answer post(String id, String verb, String body) throws Exception {
    return web.post(BASE + "/leases/" + id + "/" + verb, body);
  }

  private String state(String id) throws Exception {
    return web.get(BASE + "/leases/" + id).body().at("/lease/state").asText();
  }

  private long charged() {
    return Charged.tokens(STORE, entity, "tpm");
  }
}
