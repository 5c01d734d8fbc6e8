package dev.millrace.benchmarks.meter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AdmissionMeterTest {
  private static final Duration LENGTH = Duration.ofSeconds(1);

  /** A day's refill adds next to nothing in the milliseconds that the tests take. */
  private static final AcquireRequest REQUEST =
      AcquireRequest.of("tenant", "gpt-4")
          .limits(Limit.perDay("rpd", 10), Limit.perDay("tpd", 1_000))
          .consume("rpd", 1)
          .consume("tpd", 200);

  @Test
  void maxOverAdmission_withinAllLimits_isAtMostOne() {
    AdmissionMeter meter = new AdmissionMeter(REQUEST, 1, LENGTH);
    admit(meter, 0, 5);
    assertThat(meter.maxOverAdmission()).isBetween(0.999, 1.0);
  }

  @Test
  void maxOverAdmission_secondLimitExceeded_isFound() {
    AdmissionMeter meter = new AdmissionMeter(REQUEST, 1, LENGTH);
    admit(meter, 0, 6);
    assertThat(meter.maxOverAdmission()).isBetween(1.199, 1.2);
  }

  @Test
  void maxOverAdmission_manyBuckets_isTheWorstOfThem() {
    AdmissionMeter meter = new AdmissionMeter(REQUEST, 100, LENGTH);
    admit(meter, 3, 4);
    admit(meter, 70, 10);
    admit(meter, 99, 5);
    assertThat(meter.maxOverAdmission()).isBetween(1.999, 2.0);
  }

  @Test
  void maxOverAdmission_limitNotAsked_doesNotCount() {
    AcquireRequest request =
        AcquireRequest.of("tenant", "gpt-4")
            .limits(Limit.perDay("rpd", 10), Limit.perDay("tpd", 1))
            .consume("rpd", 1);
    AdmissionMeter meter = new AdmissionMeter(request, 1, LENGTH);
    admit(meter, 0, 5);
    assertThat(meter.maxOverAdmission()).isBetween(0.499, 0.5);
  }

  private static void admit(AdmissionMeter meter, int bucket, int times) {
    for (int i = 0; i < times; i++) {
      meter.admitted(bucket);
    }
  }
}
