package dev.millrace.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.RateLimiter;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;

/** Beside a test of a whole application, whose properties name a table. */
@MillraceTest
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"millrace.dynamodb.table=limits", "millrace.store=dynamodb"})
class MillraceTestTest {
  @Autowired private RateLimiter limiter;
  @Autowired private TestLedger ledger;
  @Autowired private ManualClock clock;

  @Test
  void bucketsAreInMemoryAndTheClockStands() {
    AcquireRequest request =
        AcquireRequest.of("ann", "api").limits(Limit.perDay("rpd", 1)).consume("rpd", 1);

    limiter.acquire(request).close();
    assertThat(limiter.timeUntilAvailable(request))
        .hasValueSatisfying(wait -> assertThat(wait).isPositive());
    clock.advance(Duration.ofDays(1));
    limiter.acquire(request).close();

    assertThat(ledger.consumed("ann", "api", "rpd")).isEqualTo(2);
    assertThat(ledger.consumed("bob", "api", "rpd")).isZero();
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    ManualClock clock() {
      return new ManualClock(1_700_000_000_000L);
    }
  }
}
