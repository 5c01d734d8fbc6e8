package dev.millrace.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.testing.Buckets;
import dev.millrace.vectors.RecordedVectors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several limits on one timestamp: does the whole request pass. */
class WouldRefillSatisfyVectorsTest {
  private int rows;
  private int negative;
  private int limits;
  private int surplus;
  private int decidedByAMillitoken;
  private int never;
  private int waits;

  @Test
  void fits_recordedRows_decidesTheSame() {
    for (JsonNode row : RecordedVectors.read("would_refill_satisfy")) {
      rows++;
      if (hasNegativeAmount(row)) {
        negative++;
      } else {
        compare(row);
      }
    }
    assertThat(rows).isEqualTo(1_100);
    assertThat(negative).isEqualTo(16);
    assertThat(surplus).isEqualTo(14);
    assertThat(limits).isEqualTo(1_163);
    assertThat(decidedByAMillitoken).isZero();
    assertThat(never).isEqualTo(176);
    assertThat(waits).isEqualTo(311);
  }

  /** Refused at the edge here; the original gives tokens back. */
  private static boolean hasNegativeAmount(JsonNode row) {
    for (JsonNode amount : row.path("consume")) {
      if (amount.asLong() < 0) {
        return true;
      }
    }
    return false;
  }

  private void compare(JsonNode row) {
    List<LimitState> states = new ArrayList<>();
    Map<String, Long> consume = new LinkedHashMap<>();
    boolean anySurplus = false;
    for (JsonNode bucket : row.path("buckets")) {
      String name = bucket.path("limit").asText();
      states.add(
          new LimitState(Vectors.limit(name, bucket), bucket.path("tokens_milli").asLong(), 0));
      long amount = row.path("consume").path(name).asLong();
      // The original skips what is not positive; here zero would ask that there is no debt.
      if (amount > 0) {
        consume.put(name, amount);
        anySurplus |= Vectors.isSurplus(bucket, Vectors.elapsedMs(row));
      }
    }
    LimitSet set = LimitSet.of(states.stream().map(LimitState::limit).toList());
    long nowMs = row.path("now_ms").asLong();
    long refilledAtMs = row.path("last_refill_ms").asLong();
    BucketView view =
        BucketView.of(
            Buckets.bucket(refilledAtMs, states.toArray(LimitState[]::new)),
            set,
            nowMs,
            PlanSettings.DEFAULT.maxSkewMs());
    Amounts amounts = Amounts.ofTokens(set, consume);
    if (anySurplus) {
      // Without credit the original spends what is above the ceiling; here it is clipped.
      surplus++;
      assertThat(view.statuses(amounts))
          .allMatch(status -> status.availableMilli() <= status.limit().burstMilli());
      return;
    }
    boolean edge = false;
    for (JsonNode theirs : row.path("out_statuses")) {
      limits++;
      edge |= compare(theirs, view.statuses(amounts), Vectors.aheadMs(row));
    }
    if (edge) {
      decidedByAMillitoken++;
    } else {
      assertThat(view.fits(amounts)).as("%s", row).isEqualTo(row.path("out_satisfied").asBoolean());
    }
  }

  /** Compares one limit; whether one millitoken decides it. */
  private boolean compare(JsonNode theirs, List<LimitStatus> statuses, long aheadMs) {
    LimitStatus ours =
        statuses.stream()
            .filter(status -> status.name().equals(theirs.path("limit").asText()))
            .findFirst()
            .orElseThrow();
    Limit limit = ours.limit();
    assertThat(ours.requested()).isEqualTo(theirs.path("requested").asLong());
    // Theirs is floored to whole tokens; ours may have one millitoken more.
    long theirsMilli = theirs.path("available").asLong() * Limit.MILLI;
    assertThat(ours.availableMilli()).isBetween(theirsMilli, theirsMilli + Limit.MILLI);
    if (ours.exceeded() != theirs.path("exceeded").asBoolean()) {
      assertThat(ours.availableMilli()).isEqualTo(ours.requestedMilli());
      return true;
    }
    if (ours.exceeded() && ours.requestedMilli() > limit.burstMilli()) {
      never++;
      assertThat(ours.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
    } else if (ours.exceeded()) {
      waits++;
      Vectors.assertRetryAfter(
          ours.retryAfterMs() - aheadMs, theirs.path("retry_after_seconds"), limit.refill());
    }
    return false;
  }
}
