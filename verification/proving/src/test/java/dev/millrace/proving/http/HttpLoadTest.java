package dev.millrace.proving.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** That a load runs and counts; what it measures is for a machine that does nothing else. */
class HttpLoadTest {
  @Test
  void http_besideSlowConnections_answersAllAndSoDoesTheLimiter() {
    try (TrialServer server = TrialServer.start(StoreKind.MEMORY, line -> {})) {
      HttpLoad load = new HttpLoad(server, 8, 10);
      Figures http = load.http(1, 20);
      assertThat(http.failed()).isZero();
      assertThat(http.perSecond()).isPositive();
      assertThat(http.p999Ms()).isGreaterThanOrEqualTo(http.p50Ms());
      Figures inProcess = load.inProcess(0.5);
      assertThat(inProcess.failed()).isZero();
      assertThat(inProcess.perSecond()).isPositive();
      long spent =
          TrialServer.BURST
              - server
                  .limiter()
                  .available("entity-0", TrialServer.RESOURCE)
                  .tokens(TrialServer.LIMIT);
      assertThat(spent).as("tokens that were really charged").isPositive();
    }
  }
}
