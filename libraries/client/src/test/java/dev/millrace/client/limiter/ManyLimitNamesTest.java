package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.plan.WritePlanner;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that name another limit each time fill the bucket with limits that are not full yet. */
class ManyLimitNamesTest {
  private final Bench bench = new Bench();

  private static AcquireRequest naming(int i) {
    Limit limit = Limit.perDay("n" + i, 1_000);
    return Bench.request(LimitSet.of(limit)).consume(limit.name(), 1);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_moreNamesThanABucketKeeps_refusesTheNewOneByName(Style style) {
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < WritePlanner.MAX_KEPT_LIMITS; i++) {
        caller.acquire(naming(i));
      }

      assertThatThrownBy(() -> caller.acquire(naming(99)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit 'n99'")
          .hasMessageContaining("has 64 limits already, at most 64 fit");
      assertThat(caller.tryAcquire(naming(7)).isGranted()).as("a name that it has").isTrue();

      bench.advance(Duration.ofDays(1).toMillis());
      caller.acquire(naming(7)); // the others are full by now, and go
      assertThat(caller.tryAcquire(naming(99)).isGranted()).as("there is room again").isTrue();
    }
  }
}
