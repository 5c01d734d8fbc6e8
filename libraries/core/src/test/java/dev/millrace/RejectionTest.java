package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RejectionTest {
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final Limit TPM = Limit.perMinute("tpm", 6_000);

  @Test
  void available_anyBalance_isRoundedDown() {
    assertThat(status(RPM, 1_999, 0, 0).available()).isEqualTo(1);
    assertThat(status(RPM, -1, 0, 0).available()).isEqualTo(-1);
    assertThat(status(RPM, -1_000, 0, 0).available()).isEqualTo(-1);
  }

  @Test
  void requested_anyAmount_isRoundedUp() {
    assertThat(status(RPM, 0, 1, 0).requested()).isEqualTo(1);
    assertThat(status(RPM, 0, 1_000, 0).requested()).isEqualTo(1);
    assertThat(status(RPM, 0, 1_001, 0).requested()).isEqualTo(2);
  }

  @Test
  void primary_severalViolations_isTheFirstOfTheLongest() {
    Rejection rejection =
        new Rejection(
            List.of(status(RPM, 0, 1_000, 5), status(TPM, 0, 1_000, 7), status(RPM, 0, 2_000, 7)));

    assertThat(rejection.primary()).isEqualTo(status(TPM, 0, 1_000, 7));
    assertThat(rejection.retryAfterMs()).isEqualTo(7);
    assertThat(rejection.retryAfter()).contains(Duration.ofMillis(7));
  }

  @Test
  void retryAfterSeconds_anyWait_isRoundedUpAndAtLeastOne() {
    assertThat(waiting(1).retryAfterSeconds()).isEqualTo(1);
    assertThat(waiting(1_000).retryAfterSeconds()).isEqualTo(1);
    assertThat(waiting(1_001).retryAfterSeconds()).isEqualTo(2);
    assertThat(waiting(0).retryAfterSeconds()).isEqualTo(1);
  }

  @Test
  void retryAfter_oneThatNeverPasses_isEmpty() {
    Rejection rejection =
        new Rejection(List.of(status(RPM, 0, 1_000, 5), status(TPM, 0, 1_000, LimitStatus.NEVER)));

    assertThat(rejection.retryAfter()).isEmpty();
    assertThat(rejection.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
  }

  @Test
  void construct_nothingExceeded_isRefused() {
    assertThatThrownBy(() -> new Rejection(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no limit is exceeded in []");
  }

  @Test
  void exception_rejection_saysWhatAPersonNeeds() {
    RateLimitExceededException exception =
        new RateLimitExceededException(new Rejection(List.of(status(RPM, -1_500, 2_000, 3_500))));

    assertThat(exception)
        .hasMessage(
            "rate limit exceeded {entity=key-42, resource=gpt-4, limit=rpm:60/min, requested=2,"
                + " available=-1.5, retryAfter=PT3.5S}")
        .hasNoCause();
    assertThat(exception.getStackTrace()).isEmpty();
    assertThat(exception.summary()).isEqualTo("rate limit exceeded");
    assertThat(exception.attributes()).containsEntry("limit", "rpm:60/min").hasSize(6);
  }

  @Test
  void exception_neverPasses_saysSo() {
    RateLimitExceededException exception =
        new RateLimitExceededException(waiting(LimitStatus.NEVER));

    assertThat(exception.attributes()).containsEntry("retryAfter", "never: above the burst");
  }

  private static Rejection waiting(long retryAfterMs) {
    return new Rejection(List.of(status(RPM, 0, 1_000, retryAfterMs)));
  }

  private static LimitStatus status(
      Limit limit, long availableMilli, long requestedMilli, long retryAfterMs) {
    return new LimitStatus(
        "key-42", "gpt-4", limit, availableMilli, requestedMilli, true, retryAfterMs);
  }
}
