package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.spring.support.App;
import dev.millrace.spring.support.Await;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * The behaviour common to servlets and WebFlux, over real HTTP. Every test has an entity of its
 * own; the clock stands still, so nothing is refilled and every number is exact.
 */
abstract class WebContract {
  abstract App app();

  private long consumed(String entity, String limit) {
    return app().ledger().consumed(entity, "api", limit);
  }

  /** The answer is out before the lease is settled. */
  private void awaitTokens(String entity, long tokens) throws InterruptedException {
    Await.until(
        tokens + " tokens of " + entity + ", not " + consumed(entity, "tokens"),
        () -> consumed(entity, "tokens") == tokens);
  }

  @Test
  void request_admitted_isChargedAndToldHowTheLimitsStand() throws Exception {
    HttpResponse<String> answer = app().get("/api/plain", "X-Key", "told");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("plain");
    assertThat(App.field(answer, "RateLimit-Policy"))
        .isEqualTo("\"requests\";q=5;w=86400, \"tokens\";q=1000;w=86400");
    assertThat(App.field(answer, "RateLimit"))
        .isEqualTo("\"requests\";r=4;t=17280, \"tokens\";r=900;t=8640");
    assertThat(consumed("told", "requests")).isEqualTo(1);
    awaitTokens("told", 100);
  }

  @Test
  void request_overTheLimit_isAProblemThatNamesEveryLimit() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(app().get("/api/plain", "X-Key", "greedy").statusCode()).isEqualTo(200);
    }

    HttpResponse<String> answer = app().get("/api/plain", "X-Key", "greedy");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(App.field(answer, "Content-Type")).startsWith("application/problem+json");
    assertThat(App.field(answer, "Retry-After")).isEqualTo("17280");
    assertThat(App.field(answer, "RateLimit")).startsWith("\"requests\";r=0;t=86400");
    assertThat(answer.body())
        .isEqualTo(
            "{\"type\":\"urn:millrace:problem:quota-exceeded\",\"title\":\"A limit is exceeded\","
                + "\"status\":429,\"violations\":[{\"entity\":\"greedy\",\"resource\":\"api\","
                + "\"limit\":\"requests\",\"available\":0,\"requested\":1,"
                + "\"retryAfterMs\":17280000}],\"retryAfterMs\":17280000}");
    awaitTokens("greedy", 500);
    assertThat(consumed("greedy", "requests")).isEqualTo(5);
  }

  @Test
  void request_whoseAnswerTellsItsCost_isSettledWithIt() throws Exception {
    assertThat(app().get("/api/cost/1700", "X-Key", "settled").statusCode()).isEqualTo(200);

    awaitTokens("settled", 1700); // 700 below zero
    HttpResponse<String> next = app().get("/api/plain", "X-Key", "settled");
    assertThat(next.statusCode()).isEqualTo(429);
    assertThat(next.body()).contains("\"limit\":\"tokens\",\"available\":-700,\"requested\":100");
  }

  @Test
  void request_whoseHandlerAdjustsTheLease_isSettledSo() throws Exception {
    assertThat(app().get("/api/lease/23", "X-Key", "adjusted").statusCode()).isEqualTo(200);

    assertThat(consumed("adjusted", "requests")).isEqualTo(1);
    Await.until("the counter of the second limit", () -> consumed("adjusted", "requests") == 1);
    awaitTokens("adjusted", 23);
  }

  @Test
  void request_thatEndsLater_isSettledThen() throws Exception {
    HttpResponse<String> answer = app().get("/api/later/40", "X-Key", "later");

    assertThat(answer.body()).isEqualTo("later");
    awaitTokens("later", 40);
  }

  @Test
  void request_thatThrows_isGivenBack() throws Exception {
    HttpResponse<String> answer = app().get("/api/fails", "X-Key", "failing");

    assertThat(answer.statusCode()).isEqualTo(500);
    awaitTokens("failing", 0);
    assertThat(consumed("failing", "requests")).isZero();
    for (int i = 0; i < 5; i++) {
      assertThat(app().get("/api/plain", "X-Key", "failing").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void request_answeredWith503_isGivenBack() throws Exception {
    assertThat(app().get("/api/status/503", "X-Key", "busy").statusCode()).isEqualTo(503);

    awaitTokens("busy", 0);
  }

  @Test
  void request_answeredWith404_isCharged() throws Exception {
    assertThat(app().get("/api/status/404", "X-Key", "lost").statusCode()).isEqualTo(404);

    assertThat(consumed("lost", "requests")).isEqualTo(1);
    awaitTokens("lost", 100);
  }

  @Test
  void request_withoutAnEntity_isRefusedWithTheReason() throws Exception {
    HttpResponse<String> answer = app().get("/api/plain");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("urn:millrace:problem:invalid-request")
        .contains("'#header['X-Key']' yields nothing");
  }

  @Test
  void request_withAnEntityThatIsNone_isRefusedWithTheRule() throws Exception {
    HttpResponse<String> answer = app().get("/api/plain", "X-Key", "not a name");

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("entityId 'not a name' contains ' '");
  }

  @Test
  void rule_withAVariableOfThePath_chargesIt() throws Exception {
    assertThat(app().get("/teams/red/x").statusCode()).isEqualTo(200);

    assertThat(app().ledger().consumed("red", "teams", "requests")).isEqualTo(1);
  }

  @Test
  void rule_withABean_asksIt() throws Exception {
    assertThat(app().get("/named/x", "Authorization", "Bearer key-7").statusCode()).isEqualTo(200);
    assertThat(app().get("/named/x", "X-Resource", "special").statusCode()).isEqualTo(200);

    assertThat(app().ledger().consumed("key-7", "named", "requests")).isEqualTo(1);
    assertThat(app().ledger().consumed("nobody", "special", "requests")).isEqualTo(1);
  }

  @Test
  void preflight_passesUncharged() throws Exception {
    try (Socket browser =
        app()
            .send(
                "OPTIONS /api/plain HTTP/1.1",
                "Origin: http://shop.example",
                "Access-Control-Request-Method: GET",
                "Connection: close")) {
      String answer =
          new String(browser.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

      assertThat(answer).startsWith("HTTP/1.1 ").doesNotContain("invalid-request");
    }
  }

  @Test
  void request_thatNoRuleMatches_passes() throws Exception {
    HttpResponse<String> answer = app().get("/free");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("RateLimit")).isEmpty();
  }

  @Test
  void controller_rateLimited_answersRefusalsLikeTheFilter() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(app().get("/chat/ann?prompt=abcdefgh").body()).isEqualTo("abcdefgh");
    }

    HttpResponse<String> answer = app().get("/chat/ann?prompt=x");

    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(App.field(answer, "Content-Type")).startsWith("application/problem+json");
    assertThat(App.field(answer, "Retry-After")).isEqualTo("28800");
    assertThat(answer.body()).contains("\"entity\":\"ann\"").contains("\"limit\":\"requests\"");
    assertThat(app().ledger().consumed("ann", "chat", "requests")).isEqualTo(3);
    assertThat(app().ledger().consumed("ann", "chat", "tokens")).isEqualTo(24);
  }

  @Test
  void controller_rateLimitedThatThrows_isGivenBack() throws Exception {
    assertThat(app().get("/chat/bob?prompt=fail").statusCode()).isEqualTo(500);

    assertThat(app().ledger().consumed("bob", "chat", "requests")).isZero();
    assertThat(app().ledger().consumed("bob", "chat", "tokens")).isZero();
  }

  @Test
  void actuator_tellsWhatIsLimitedAndHowItStands() throws Exception {
    app().get("/teams/blue/x");

    assertThat(app().get("/actuator/millrace").body())
        .contains("millrace.web.rules[1]")
        .contains("@RateLimited ")
        .contains("\"admitted\":");
    assertThat(app().get("/actuator/millrace/blue/teams").body())
        .contains("\"limit\":\"requests\"")
        .contains("\"remaining\":1");
    assertThat(app().get("/actuator/millrace/blue/unheard-of").statusCode()).isEqualTo(404);
    assertThat(app().get("/actuator/health/millrace").body())
        .contains("\"status\":\"UP\"")
        .contains("\"blocked\":0");
  }

  @Test
  void meters_countWhatWasAdmittedAndRefused() throws Exception {
    for (int i = 0; i < 4; i++) {
      app().get("/teams/green/x");
    }

    assertThat(
            app()
                .get("/actuator/metrics/millrace.acquires?tag=resource:teams&tag=outcome:refused")
                .body())
        .contains("\"statistic\":\"COUNT\",\"value\":2.0");
    assertThat(app().get("/actuator/metrics/millrace.buckets.created").body())
        .contains("\"statistic\":\"COUNT\"");
  }
}
