package dev.millrace.server.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.LimitNotation;
import dev.millrace.server.Await;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import io.opentelemetry.api.OpenTelemetry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Health, readiness and metrics over HTTP. */
class ObservabilityFeatureTest {
  /** One for all, because a server takes two seconds to stop. */
  private static final FaultyStore STORE = FaultyStore.over(new InMemoryStore());

  private static final Observed OBSERVED = new Observed(STORE, OpenTelemetry.noop());

  @AfterAll
  static void stop() {
    OBSERVED.close();
  }

  @Test
  void ready_tableComesAndGoes_followsIt() throws Exception {
    Await.until("ready", () -> OBSERVED.get("/ready").statusCode() == 200);
    STORE.always(call -> true, Fault.unreachable());
    Await.until("not ready", () -> OBSERVED.get("/ready").statusCode() == 503);
    assertThat(OBSERVED.get("/ready").body()).contains("the table cannot be read");
    assertThat(OBSERVED.get("/health").statusCode()).isEqualTo(200);
    STORE.heal();
    Await.until("ready again", () -> OBSERVED.get("/ready").statusCode() == 200);
  }

  @Test
  void metrics_afterRequests_tellThemAndNoEntity() throws Exception {
    for (int i = 0; i < 3; i++) {
      OBSERVED
          .limiters()
          .in("default")
          .tryAcquire(
              AcquireRequest.of("secret-entity", "chat")
                  .limits(LimitNotation.parse("rpm:2/day"))
                  .consume("rpm", 1));
    }
    String metrics = OBSERVED.get("/metrics").body();
    assertThat(metrics)
        .contains("millrace_acquires_total{outcome=\"admitted\",resource=\"chat\"} 2.0")
        .contains("millrace_acquires_total{outcome=\"refused\",resource=\"chat\"} 1.0")
        .contains("millrace_store_calls_seconds_count{kind=\"write\",outcome=\"done\"} 2")
        .contains("millrace_limiters 1.0")
        .doesNotContain("secret-entity");
    assertThat(OBSERVED.live().consumers())
        .singleElement()
        .satisfies(
            top -> {
              assertThat(top.entity()).isEqualTo("secret-entity");
              assertThat(top.namespace()).isEqualTo("default");
              assertThat(top.amount()).isEqualTo(2);
            });
  }
}
