package dev.millrace.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.DisabledBucket;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.Rejection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class HttpRefusalTest {
  private static LimitStatus status(Limit limit, long available, long requested, long retryMs) {
    return new LimitStatus(
        "ann",
        "model",
        limit,
        available * 1_000,
        requested * 1_000,
        requested > available,
        retryMs);
  }

  @Test
  void of_severalLimits_namesEachThatRefused() {
    HttpRefusal refusal =
        HttpRefusal.of(
            new Rejection(
                List.of(
                    status(Limit.perMinute("rpm", 10), 0, 1, 6_000),
                    status(Limit.perMinute("tpd", 10), 5, 1, 0),
                    status(Limit.perMinute("tpm", 600), -30, 10, 4_001))));

    assertThat(refusal.status()).isEqualTo(429);
    assertThat(refusal.fields())
        .containsExactly(
            Map.entry(
                "ratelimit-policy", "\"rpm\";q=10;w=60, \"tpd\";q=10;w=60, \"tpm\";q=600;w=60"),
            Map.entry("ratelimit", "\"rpm\";r=0;t=60, \"tpd\";r=5;t=30, \"tpm\";r=0;t=63"),
            Map.entry("retry-after", "6"));
    assertThat(refusal.problem().json())
        .isEqualTo(
            "{\"type\":\"urn:millrace:problem:quota-exceeded\",\"title\":\"A limit is exceeded\","
                + "\"status\":429,\"violations\":["
                + "{\"entity\":\"ann\",\"resource\":\"model\",\"limit\":\"rpm\",\"available\":0,"
                + "\"requested\":1,\"retryAfterMs\":6000},"
                + "{\"entity\":\"ann\",\"resource\":\"model\",\"limit\":\"tpm\",\"available\":-30,"
                + "\"requested\":10,\"retryAfterMs\":4001}],\"retryAfterMs\":6000}");
  }

  @Test
  void of_moreThanALimitCanHold_promisesNothing() {
    HttpRefusal refusal =
        HttpRefusal.of(
            new Rejection(List.of(status(Limit.perMinute("rpm", 10), 10, 11, LimitStatus.NEVER))));

    assertThat(refusal.fields()).doesNotContainKey("retry-after");
    assertThat(refusal.problem().json()).contains("no waiting helps");
  }

  @Test
  void of_switchedOff_is403() {
    assertThat(HttpRefusal.of(new DisabledBucket("ann", "model")).problem().json())
        .isEqualTo(
            "{\"type\":\"urn:millrace:problem:switched-off\","
                + "\"title\":\"An operator has switched this off\",\"status\":403,"
                + "\"entity\":\"ann\",\"resource\":\"model\"}");
  }

  @Test
  void of_thrown_looksBehindWhatFuturesWrap() {
    Throwable away =
        new CompletionException(
            new LimiterUnavailableException("away", Map.of("mayBeCharged", true), null));

    HttpRefusal refusal = HttpRefusal.of(away).orElseThrow();

    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.fields()).containsExactly(Map.entry("retry-after", "1"));
    assertThat(refusal.problem().json()).endsWith("\"status\":503,\"mayBeCharged\":true}");
  }

  @Test
  void of_anythingElseThrown_isNoRefusal() {
    assertThat(HttpRefusal.of(new IllegalStateException("other"))).isEmpty();
    assertThat(
            HttpRefusal.of(
                new RateLimitExceededException(
                    new Rejection(List.of(status(Limit.perMinute("rpm", 1), 0, 1, 1))))))
        .isPresent();
  }

  @Test
  void json_textsThatNeedIt_areEscaped() {
    assertThat(HttpProblem.of(400, "t", "a \"b\" \\ c\n").json())
        .isEqualTo(
            "{\"type\":\"urn:millrace:problem:t\",\"title\":\"a \\\"b\\\" \\\\ c\\u000A\","
                + "\"status\":400}");
  }
}
