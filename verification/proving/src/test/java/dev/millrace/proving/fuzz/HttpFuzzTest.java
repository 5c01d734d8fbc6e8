package dev.millrace.proving.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proving.http.StoreKind;
import dev.millrace.proving.http.TrialServer;
import org.junit.jupiter.api.Test;

/** A slice of the campaign, and that the campaign finds what is wrong. */
class HttpFuzzTest {
  /** The seeds of the slice are always the same; {@code millrace fuzz http} looks for new ones. */
  private static final long SEED = 1;

  private static final long REQUESTS = 2_000;

  @Test
  void run_sliceOfTheCampaign_findsNothingAndReachesEveryKind() {
    try (TrialServer server = TrialServer.start(StoreKind.MEMORY, line -> {})) {
      FuzzReport report = new HttpFuzz(server).run(SEED, REQUESTS, sent -> {});
      assertThat(report.violations()).isEmpty();
      assertThat(report.requests()).isEqualTo(REQUESTS);
      assertThat(report.answers()).containsOnlyKeys(Kind.values());
      assertThat(report.answers().get(Kind.VALID)).containsOnlyKeys(200);
    }
  }

  @Test
  void insides_ofAStackTrace_areSeen() {
    assertThat(new FuzzAnswer(500, "oops\n\tat x.y(Z.java:1)").insides()).isNotNull();
    assertThat(new FuzzAnswer(400, "{\"title\":\"bad\"}").insides()).isNull();
  }

  @Test
  void allows_internalError_never() {
    for (Kind kind : Kind.values()) {
      assertThat(kind.allows(500)).isFalse();
      assertThat(kind.allows(FuzzAnswer.SILENT)).isFalse();
      assertThat(kind.allows(FuzzAnswer.BROKEN)).isFalse();
    }
  }

  @Test
  void of_sameSeed_isTheSameRequest() {
    for (long seed = 0; seed < 100; seed++) {
      assertThat(HostileRequests.of(seed).bytes()).isEqualTo(HostileRequests.of(seed).bytes());
    }
  }
}
