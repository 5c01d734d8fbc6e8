package dev.millrace.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.RateLimitExceededException;
import dev.millrace.Rejection;
import dev.millrace.vectors.RecordedVectors;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a refusal says. */
class RateLimitExceededVectorsTest {
  private int sameHeader;
  private int secondShorter;

  @Test
  void rejection_recordedStatuses_saysTheSame() {
    int rows = 0;
    for (JsonNode row : RecordedVectors.read("rate_limit_exceeded")) {
      rows++;
      compare(row);
    }
    assertThat(rows).isEqualTo(300);
    assertThat(sameHeader).isEqualTo(272);
    assertThat(secondShorter).isEqualTo(28);
  }

  private void compare(JsonNode row) {
    List<LimitStatus> statuses = new ArrayList<>();
    row.path("statuses").forEach(status -> statuses.add(status(status)));
    Rejection rejection = new RateLimitExceededException(new Rejection(statuses)).rejection();

    assertThat(rejection.primary().name()).isEqualTo(row.path("out_primary").asText());
    assertThat(rejection.violations())
        .extracting(LimitStatus::name)
        .isEqualTo(texts(row.path("out_violations")));
    assertThat(rejection.passed())
        .extracting(LimitStatus::name)
        .isEqualTo(texts(row.path("out_passed")));
    // Theirs rounds milliseconds down, ours up: whoever obeys is not refused for coming early.
    assertThat(rejection.retryAfterMs())
        .isEqualTo(milliseconds(row.path("out_dict").path("retry_after_seconds")))
        .isBetween(
            row.path("out_dict").path("retry_after_ms").asLong(),
            row.path("out_dict").path("retry_after_ms").asLong() + 1);
    assertThat(rejection.retryAfter()).contains(Duration.ofMillis(rejection.retryAfterMs()));
    assertHeader(row, rejection);
  }

  /** Theirs is the whole seconds plus one; ours is rounded up, at least one. */
  private void assertHeader(JsonNode row, Rejection rejection) {
    long theirs = row.path("out_header").asLong();
    long oursMs = rejection.retryAfterMs();
    boolean wholeSeconds = oursMs > 0 && oursMs % 1_000 == 0;
    assertThat(rejection.retryAfterSeconds()).isEqualTo(wholeSeconds ? theirs - 1 : theirs);
    sameHeader += wholeSeconds ? 0 : 1;
    secondShorter += wholeSeconds ? 1 : 0;
  }

  private static LimitStatus status(JsonNode row) {
    JsonNode limit = row.path("limit");
    return new LimitStatus(
        row.path("entity_id").asText(),
        row.path("resource").asText(),
        Limit.custom(
            limit.path("name").asText(),
            limit.path("capacity").asLong(),
            limit.path("refill_amount").asLong(),
            Duration.ofSeconds(limit.path("refill_period_seconds").asLong())),
        row.path("available").asLong() * Limit.MILLI,
        row.path("requested").asLong() * Limit.MILLI,
        row.path("exceeded").asBoolean(),
        milliseconds(row.path("retry_after_seconds")));
  }

  private static long milliseconds(JsonNode seconds) {
    return Vectors.millis(seconds).setScale(0, RoundingMode.CEILING).longValueExact();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
