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
import dev.millrace.testkit.InMemoryStore;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DataPlaneTroubleTest {
  private static final String BASE = "/v1/namespaces/default";
  private static final String LIMITS =
      "\"limits\":[{\"name\":\"rpm\",\"rate\":10,\"per\":\"PT1H\"},"
          + "{\"name\":\"tpm\",\"rate\":1000,\"per\":\"PT1H\",\"burst\":2000}]";

  private final InMemoryStore store = new InMemoryStore();
  private final FaultyStore faulty = FaultyStore.over(store);
  private final ServerParts parts = TestParts.on(store, faulty, new LocalGuard());
  private final MillraceServer server =
      TestServers.start(
          NetworkSettings.loopback(0),
          parts,
          LeaseSettings.of(LeaseSettings.Secret.random(), null, 3));
  private final Web web = Web.of(server);

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void acquire_moreLeasesThanThereIsRoomFor_isRefusedUncharged() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(acquire("\"rpm\":1", "").status()).isEqualTo(200);
    }
    Web.Answer answer = acquire("\"rpm\":1", "");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("too-many-leases");
    assertThat(charged("rpm")).isEqualTo(3);
    assertThat(parts.meters().counter("millrace.server.leases.full").count()).isEqualTo(1);
  }

  @Test
  void acquire_refused_leavesRoomForOthers() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(acquire("\"rpm\":11", "").status()).isEqualTo(429);
      assertThat(acquire("\"none\":1", "").status()).isEqualTo(400);
    }
    assertThat(acquire("\"rpm\":1", "").status()).isEqualTo(200);
  }

  @Test
  void acquire_callerGoesAway_givesBackAndFreesThePlace() throws Exception {
    String slow =
        "{\"entity\":\"slow\",\"resource\":\"r\",\"consume\":{\"jobs\":10},\"maxWait\":\"PT20S\","
            + "\"limits\":[{\"name\":\"jobs\",\"rate\":10,\"per\":\"PT15S\"}]}";
    release(web.post(BASE + "/acquire", slow.replace("10},", "1},")));
    assertThat(web.post(BASE + "/acquire", slow).status()).isEqualTo(200);
    CompletableFuture<?> waiting = web.postLater(BASE + "/acquire", slow);
    Await.until("it waits", () -> openPlaces() == 2);
    waiting.cancel(true);
    Await.until("its place is free", () -> openPlaces() == 1);
  }

  @Test
  void acquire_storeAway_isUnavailableAndFreesThePlace() throws Exception {
    faulty.always(Calls.any(), Fault.unreachable());
    Web.Answer answer = acquire("\"rpm\":1", "");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("store-unavailable");
    assertThat(answer.field("retry-after")).isEqualTo("1");
    assertThat(openPlaces()).isZero();
  }

  @Test
  void settle_storeAway_isWrittenLaterAndCorrectsOnce() throws Exception {
    String id = acquire("\"tpm\":500", "").body().at("/lease/id").asText();
    String settle = BASE + "/leases/" + id + "/settle";
    faulty.once(Calls.writes(), Fault.unreachable());
    assertThat(web.post(settle, "{\"adjust\":{\"tpm\":-200}}").status()).isEqualTo(200);
    assertThat(web.post(settle, "{\"adjust\":{\"tpm\":-100}}").status()).isEqualTo(409);
    assertThat(web.post(settle, "{\"adjust\":{\"tpm\":-200}}").status()).isEqualTo(200);
    Await.until("it is written", () -> charged("tpm") == 300);
  }

  @Test
  void acquire_whileDraining_isRefused() throws Exception {
    server.drain();
    Web.Answer answer = acquire("\"rpm\":1", "");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("draining");
    assertThat(answer.field("retry-after")).isEqualTo("1");
    assertThat(store.size()).isZero();
  }

  private void release(Web.Answer granted) throws Exception {
    String id = granted.body().at("/lease/id").asText();
    assertThat(web.post(BASE + "/leases/" + id + "/release", "").status()).isEqualTo(200);
  }

  private Web.Answer acquire(String consume, String more) throws Exception {
    return web.post(BASE + "/acquire", body(consume, more));
  }

  private static String body(String consume, String more) {
    return "{\"entity\":\"key-1\",\"resource\":\"gpt-4\",\"consume\":{"
        + consume
        + "},"
        + LIMITS
        + more
        + "}";
  }

  private double openPlaces() {
    return parts.meters().get("millrace.server.leases.open").gauge().value();
  }

  private long charged(String limit) {
    return Charged.tokens(store, "key-1", limit);
  }
}
