package dev.millrace.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.testing.Buckets;
import dev.millrace.vectors.RecordedVectors;
import org.junit.jupiter.api.Test;

/** How long until a bucket can give so much. */
class TimeUntilAvailableVectorsTest {
  private int negative;
  private int notAllowed;
  private int surplus;
  private int never;
  private int atOnce;
  private int waits;
  private int within2Ms;

  @Test
  void retryAfter_recordedRows_isExactAndBesideTheirs() {
    for (JsonNode row : RecordedVectors.read("time_until_available")) {
      long needed = row.path("needed").asLong();
      if (!Vectors.isAllowed(row)) {
        notAllowed++;
        assertThatThrownBy(() -> Vectors.limit("rpm", row))
            .isInstanceOf(IllegalArgumentException.class);
      } else if (needed < 0) {
        negative++;
        assertThatThrownBy(() -> AcquireRequest.of("e", "r").consume("rpm", needed))
            .isInstanceOf(IllegalArgumentException.class);
      } else {
        compare(row, needed);
      }
    }
    assertThat(negative + notAllowed + surplus + never + atOnce + waits).isEqualTo(1_118);
    assertThat(atOnce).isEqualTo(505);
    assertThat(never).isEqualTo(295);
    assertThat(waits).isEqualTo(284);
    assertThat(within2Ms).as("the others refill slower than a token a second").isEqualTo(142);
  }

  private void compare(JsonNode row, long needed) {
    Limit limit = Vectors.limit("rpm", row);
    LimitSet limits = LimitSet.of(limit);
    BucketView view =
        BucketView.of(
            Vectors.bucket(limit, row),
            limits,
            row.path("now_ms").asLong(),
            PlanSettings.DEFAULT.maxSkewMs());
    LimitStatus status = view.statuses(Buckets.tokens(limits, needed)).get(0);
    JsonNode theirs = row.path("out_seconds");
    if (needed * Limit.MILLI > limit.burstMilli()) {
      // The original says how long a balance would take that the bucket can never hold.
      never++;
      assertThat(status.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
    } else if (Vectors.isSurplus(row, Vectors.elapsedMs(row))) {
      surplus++;
      assertThat(status.exceeded()).isFalse();
    } else if (!status.exceeded()) {
      atOnce++;
      assertThat(Vectors.millis(theirs).longValue()).as("%s", row).isLessThanOrEqualTo(2);
    } else {
      waits++;
      // The original does not count in that nothing is earned until the clocks meet.
      long waitMs = status.retryAfterMs() - Vectors.aheadMs(row);
      within2Ms += Vectors.assertRetryAfter(waitMs, theirs, limit.refill()) ? 1 : 0;
    }
  }
}
