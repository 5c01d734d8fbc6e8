package dev.millrace.dynamodb.admin.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.MillraceException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnitRateTest {
  private final AtomicLong nanos = new AtomicLong(5);

  @Test
  void spend_fasterThanItMay_waitsForWhatWasSpent() {
    UnitRate rate = new UnitRate(100, nanos::get, nanos::addAndGet);

    for (int i = 0; i < 50; i++) {
      rate.spend(4);
    }

    // Of 200 units at 100 a second, all but the last four have been waited for.
    assertThat(nanos.get() - 5).isEqualTo(1_960_000_000L);
  }

  @Test
  void spend_afterALull_hasNotSavedUp() {
    UnitRate rate = new UnitRate(100, nanos::get, nanos::addAndGet);
    nanos.addAndGet(60_000_000_000L);
    long before = nanos.get();

    rate.spend(100);
    rate.spend(100);

    assertThat(nanos.get() - before).isEqualTo(1_000_000_000L);
  }

  @Test
  void spend_interrupted_stopsAndKeepsTheInterrupt() {
    UnitRate rate =
        new UnitRate(
            1,
            nanos::get,
            waitNanos -> {
              throw new InterruptedException();
            });
    rate.spend(1);

    assertThatThrownBy(() -> rate.spend(1))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("can be resumed");
    assertThat(Thread.interrupted()).isTrue();
  }
}
