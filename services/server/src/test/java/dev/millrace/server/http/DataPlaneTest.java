package dev.millrace.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.server.Charged;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestParts;
import dev.millrace.server.TestServers;
import dev.millrace.server.Web;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DataPlaneTest {
  private static final String BASE = "/v1/namespaces/default";
  private static final String LIMITS =
      "\"limits\":[{\"name\":\"rpm\",\"rate\":10,\"per\":\"PT1H\"},"
          + "{\"name\":\"tpm\",\"rate\":1000,\"per\":\"PT1H\",\"burst\":2000}]";
  private static final InMemoryStore STORE = new InMemoryStore();
  private static final ServerParts PARTS = TestParts.on(STORE);
  private static final MillraceServer SERVER = TestServers.start(PARTS);

  /** Each test has a bucket of its own. */
  private final String entity = "key-" + UUID.randomUUID();

  private final Web web = Web.of(SERVER);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void acquire_withinTheLimits_isGrantedAndCharged() throws Exception {
    Web.Answer answer = acquire("\"rpm\":1,\"tpm\":500", ",\"balances\":true");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body().at("/lease/state").asText()).isEqualTo("OPEN");
    assertThat(answer.body().at("/lease/consumed/gpt-4/tpm").asLong()).isEqualTo(500);
    assertThat(answer.body().at("/degraded").asBoolean()).isFalse();
    assertThat(answer.body().at("/limits/0/remaining").asLong()).isEqualTo(9);
    assertThat(answer.field("ratelimit-policy"))
        .isEqualTo("\"rpm\";q=10;w=3600, \"tpm\";q=1000;w=3600");
    assertThat(answer.field("ratelimit")).isEqualTo("\"rpm\";r=9;t=360, \"tpm\";r=1500;t=1800");
    assertThat(charged("tpm")).isEqualTo(500);
  }

  @Test
  void acquire_beyondALimit_isRefusedWithEveryViolation() throws Exception {
    acquire("\"rpm\":10,\"tpm\":2000", "");
    Web.Answer answer = acquire("\"rpm\":1,\"tpm\":500", "");
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.problem()).isEqualTo("quota-exceeded");
    assertThat(answer.body().at("/violations")).hasSize(2);
    assertThat(answer.body().at("/violations/1/limit").asText()).isEqualTo("tpm");
    assertThat(answer.body().at("/violations/1/requested").asLong()).isEqualTo(500);
    assertThat(answer.body().at("/retryAfterMs").asLong()).isBetween(1_700_000L, 1_800_000L);
    assertThat(Long.parseLong(answer.field("retry-after"))).isBetween(1_700L, 1_800L);
    assertThat(answer.field("ratelimit")).contains("\"rpm\";r=0;t=3600");
    assertThat(charged("tpm")).isEqualTo(2000);
  }

  @Test
  void acquire_largerThanTheLimit_saysThatNoWaitingHelps() throws Exception {
    Web.Answer answer = acquire("\"tpm\":2001", "");
    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.body().has("retryAfterMs")).isFalse();
    assertThat(answer.field("retry-after")).isEmpty();
    assertThat(answer.body().at("/detail").asText()).contains("no waiting helps");
  }

  @Test
  void acquire_withoutALease_keepsTheChargeAndHoldsNothing() throws Exception {
    for (int i = 0; i < 5; i++) { // more than there is room for leases
      Web.Answer answer = acquire("\"rpm\":1", ",\"lease\":false");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().has("lease")).isFalse();
    }
    assertThat(charged("rpm")).isEqualTo(5);
  }

  @Test
  void acquire_waitingForTokens_isGrantedWhenTheyAreThere() throws Exception {
    String fast =
        "{\"entity\":\"fast\",\"resource\":\"r\",\"consume\":{\"rps\":5},\"maxWait\":\"PT10S\","
            + "\"limits\":[{\"name\":\"rps\",\"rate\":10,\"per\":\"PT1S\"}],\"lease\":false}";
    for (int i = 0; i < 4; i++) {
      assertThat(web.post(BASE + "/acquire", fast).status()).isEqualTo(200);
    }
  }

  @Test
  void acquire_sameIdempotencyKey_isTheSameLease() throws Exception {
    Web keyed = web.with("Idempotency-Key", "k-1");
    Web.Answer first = keyed.post(BASE + "/acquire", body("\"rpm\":1", ""));
    Web.Answer again = keyed.post(BASE + "/acquire", body("\"rpm\":1", ""));
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(charged("rpm")).isEqualTo(1);
    Web.Answer other = keyed.post(BASE + "/acquire", body("\"rpm\":2", ""));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.problem()).isEqualTo("idempotency-key-reused");
    assertThat(charged("rpm")).isEqualTo(1);
  }

  @Test
  void acquire_refusedUnderAnIdempotencyKey_mayBeTriedAgain() throws Exception {
    Web keyed = web.with("Idempotency-Key", "k-2");
    String body = body("\"rpm\":10", "");
    Web.Answer blocker = acquire("\"rpm\":1", "");
    assertThat(keyed.post(BASE + "/acquire", body).status()).isEqualTo(429);
    release(blocker);
    assertThat(keyed.post(BASE + "/acquire", body).status()).isEqualTo(200);
  }

  @Test
  void acquire_unknownNamespace_isNotFoundAndUsesUpNothing() throws Exception {
    for (int i = 0; i < 300; i++) { // more than there are limiters
      Web.Answer answer = web.post("/v1/namespaces/no" + i + "/acquire", body("\"rpm\":1", ""));
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.problem()).isEqualTo("unknown-namespace");
    }
    assertThat(acquire("\"rpm\":1", "").status()).isEqualTo(200);
  }

  @Test
  void acquire_withoutAnyLimits_isNotFoundAndHarmsNobody() throws Exception {
    String id = acquire("\"rpm\":1", "").body().at("/lease/id").asText();
    Web.Answer answer =
        web.post(
            BASE + "/acquire",
            "{\"entity\":\"nobody\",\"resource\":\"r\",\"consume\":{\"rpm\":1}}");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.problem()).isEqualTo("no-limits");
    assertThat(answer.body().at("/entity").asText()).isEqualTo("nobody");
    String consume = BASE + "/leases/" + id + "/consume";
    assertThat(web.post(consume, "{\"consume\":{\"rpm\":1}}").status()).isEqualTo(200);
  }

  @Test
  void acquire_thatCannotBe_isRefusedBeforeAnythingIsWritten() throws Exception {
    Web.Answer answer = acquire("\"rpm\":1", ",\"maxWait\":\"PT1H\"");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("invalid-request");
    assertThat(answer.body().at("/field").asText()).isEqualTo("maxWait");
    assertThat(answer.body().at("/detail").asText())
        .isEqualTo("'maxWait' is PT1H, must be from PT0S to PT25S");
    assertThat(acquire("\"rpm\":1", ",\"ttl\":\"PT2H\"").status()).isEqualTo(400);
    assertThat(STORE.snapshot(BucketKey.first("default", entity, "gpt-4"))).isNull();
  }

  @Test
  void availability_ofAResourceWithASlash_isRead() throws Exception {
    PARTS
        .admin()
        .in("default")
        .limits()
        .set(LimitTarget.resource("openai/gpt-4"), LimitSet.of(Limit.perHour("rpm", 10)));
    for (String resource : List.of("openai/gpt-4", "openai%2Fgpt-4")) {
      Web.Answer answer = web.get(BASE + "/entities/key-1/availability/" + resource);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().at("/limits/0/remaining").asLong()).isEqualTo(10);
      assertThat(answer.body().at("/limits/0/per").asText()).isEqualTo("PT1H");
      assertThat(answer.field("ratelimit")).isEqualTo("\"rpm\";r=10;t=0");
    }
  }

  @Test
  void timeUntilAvailable_ofWhatIsNotThere_isTheWait() throws Exception {
    acquire("\"rpm\":10", "");
    Web.Answer answer = web.post(BASE + "/time-until-available", body("\"rpm\":1", ""));
    assertThat(answer.body().at("/waitMs").asLong()).isBetween(300_000L, 360_000L);
    Web.Answer never = web.post(BASE + "/time-until-available", body("\"rpm\":11", ""));
    assertThat(never.body().at("/possible").asBoolean()).isFalse();
  }

  private void release(Web.Answer granted) throws Exception {
    String id = granted.body().at("/lease/id").asText();
    assertThat(web.post(BASE + "/leases/" + id + "/release", "").status()).isEqualTo(200);
  }

  private Web.Answer acquire(String consume, String more) throws Exception {
    return web.post(BASE + "/acquire", body(consume, more));
  }

  private String body(String consume, String more) {
    return "{\"entity\":\""
        + entity
        + "\",\"resource\":\"gpt-4\",\"consume\":{"
        + consume
        + "},"
        + LIMITS
        + more
        + "}";
  }

  private long charged(String limit) {
    return Charged.tokens(STORE, entity, limit);
  }
}
