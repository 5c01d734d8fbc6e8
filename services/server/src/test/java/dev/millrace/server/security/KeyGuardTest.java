package dev.millrace.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.Await;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.TestParts;
import dev.millrace.server.TestServers;
import dev.millrace.server.Web;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.testkit.InMemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyGuardTest {
  private static final String BASE = "/v1/namespaces/default";
  private static final String ACQUIRE =
      "{\"entity\":\"a\",\"resource\":\"r\",\"consume\":{\"rpm\":1},"
          + "\"limits\":[{\"name\":\"rpm\",\"rate\":1000}]}";

  /** More than any test sends, so that one that polls is never sent away for that. */
  private static final int PLENTY_PER_SECOND = 100_000;

  private static final int FEW_PER_SECOND = 5;

  private final NewKey caller = NewKey.of("gateway", Set.of(Scope.ACQUIRE), null, null);
  private final NewKey reader = NewKey.of("page", Set.of(Scope.READ), null, null);
  private final NewKey elsewhere = NewKey.of("other", Set.of(Scope.ADMIN), "prod", null);
  private final NewKey old =
      NewKey.of("gone", Set.of(Scope.ADMIN), null, Instant.parse("2020-01-01T00:00:00Z"));

  @TempDir private Path directory;
  private MillraceServer server;
  private KeyGuard guard;

  @BeforeEach
  void start() throws IOException {
    start(PLENTY_PER_SECOND);
  }

  private void start(int mostPerSecond) throws IOException {
    Path file = write(caller, reader, elsewhere, old);
    guard =
        new KeyGuard(
            KeyRing.watch(file, Duration.ofMillis(50)),
            mostPerSecond,
            InstantSource.system(),
            new SimpleMeterRegistry());
    server = TestServers.start(TestParts.on(new InMemoryStore(), guard));
  }

  private Path write(NewKey... keys) throws IOException {
    StringBuilder text = new StringBuilder("keys:\n");
    for (NewKey key : keys) {
      text.append(key.entry());
    }
    return Files.writeString(directory.resolve("keys.yaml"), text);
  }

  @AfterEach
  void stop() {
    server.close();
    guard.close();
  }

  @Test
  void request_withAGoodKey_isServed() throws Exception {
    assertThat(as(caller).post(BASE + "/acquire", ACQUIRE).status()).isEqualTo(200);
  }

  @Test
  void request_withoutAGoodKey_isUnauthenticated() throws Exception {
    Web none = Web.of(server);
    List<Web> bad =
        List.of(
            none,
            none.with("Authorization", "Bearer mlr_" + "x".repeat(43)),
            none.with("Authorization", "Bearer " + caller.text().substring(4)),
            none.with("Authorization", "Basic " + caller.text()),
            none.with("Authorization", "Bearer " + "mlr_" + "y".repeat(4000)),
            as(old));
    for (Web web : bad) {
      Web.Answer answer = web.post(BASE + "/acquire", ACQUIRE);
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.field("www-authenticate")).isEqualTo("Bearer realm=\"millrace\"");
    }
  }

  @Test
  void request_beyondItsScopeOrNamespace_isForbidden() throws Exception {
    assertThat(as(reader).post(BASE + "/acquire", ACQUIRE).problem()).isEqualTo("missing-scope");
    assertThat(as(caller).get(BASE + "/entities/a/availability/r").problem())
        .isEqualTo("missing-scope");
    assertThat(as(elsewhere).post(BASE + "/acquire", ACQUIRE).problem())
        .isEqualTo("other-namespace");
  }

  @Test
  void lease_ofAnother_isOnlyForThoseOfItsNamespace() throws Exception {
    String id = as(caller).post(BASE + "/acquire", ACQUIRE).body().at("/lease/id").asText();
    assertThat(as(elsewhere).post(BASE + "/leases/" + id + "/release", "").status()).isEqualTo(403);
    assertThat(as(elsewhere).post("/v1/namespaces/prod/leases/" + id + "/release", "").status())
        .isEqualTo(404);
  }

  @Test
  void requests_tooMany_areSentAway() throws Exception {
    stop();
    start(FEW_PER_SECOND);
    Await.until(
        "one is too many",
        () ->
            as(reader)
                .get("/v1/namespaces/default/entities/a/availability/r")
                .problem()
                .equals("server-busy"));
    assertThat(as(caller).post(BASE + "/acquire", ACQUIRE).status()).isEqualTo(200);
  }

  @Test
  void failures_tooMany_areSentAwayAndGoodKeysAreNot() throws Exception {
    stop();
    start(FEW_PER_SECOND);
    Await.until(
        "one is too many", () -> Web.of(server).post(BASE + "/acquire", ACQUIRE).status() == 429);
    assertThat(as(caller).post(BASE + "/acquire", ACQUIRE).status()).isEqualTo(200);
  }

  @Test
  void file_changed_isReadAgain() throws Exception {
    NewKey next = NewKey.of("gateway", Set.of(Scope.ACQUIRE), null, null);
    write(caller, next);
    Await.until("the new key is good", () -> statusFor(next) == 200);
    assertThat(statusFor(caller)).isEqualTo(200); // both, while keys are changed
    write(next);
    Await.until("the old key is not", () -> statusFor(caller) == 401);
    Files.writeString(directory.resolve("keys.yaml"), "keys: [{name: slip");
    Files.writeString(directory.resolve("keys.yaml"), "keys: [{name: slip of the pen}]");
    assertThat(statusFor(next)).isEqualTo(200);
  }

  @Test
  void file_thatCannotBe_isRefusedByFieldAndReason() throws Exception {
    assertRefused("keys: [{name: a}]", "'keys[0].sha256' is missing");
    assertRefused("keys: []\nkeyz: []", "'keyz' is not known here");
    assertRefused("", "write 'keys: []' to let nobody in");
    assertRefused("keys: [{name: a, sha256: abc, scopes: [admin]}]", "64 hexadecimal digits");
    String entry = caller.entry();
    assertRefused("keys:\n" + entry + entry, "is there twice");
    assertRefused("keys:\n" + entry.replace("acquire", "everything"), "has 'everything'");
    assertRefused("keys:\n" + entry + "    expires: tomorrow\n", "must be a moment in UTC");
    assertRefused("keys: &a [*a]", "not YAML");
  }

  private void assertRefused(String text, String reason) throws IOException {
    Path file = Files.writeString(directory.resolve("bad.yaml"), text);
    assertThatThrownBy(() -> KeyRing.watch(file, Duration.ofMinutes(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void toString_ofWhatHoldsSecrets_hasNone() {
    assertThat(caller.toString()).doesNotContain(caller.text());
    assertThat(LeaseSettings.defaults().toString()).contains("secret=hidden");
  }

  private int statusFor(NewKey key) throws Exception {
    return as(key).post(BASE + "/acquire", ACQUIRE).status();
  }

  private Web as(NewKey key) {
    return Web.of(server).with("Authorization", "Bearer " + key.text());
  }
}
