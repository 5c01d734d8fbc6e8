package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static long longest(long bound) {
    return bound - 1;
  }

  private static long shortest(long bound) {
    return 0;
  }

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // may wrap around

  @Test
  void pauseMs_eachRound_isTwiceAsLongUpToALimit() {
    assertThat(pauses(1_000_000, PatienceTest::longest))
        .containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1_000L, Patience.NONE);
  }

  @Test
  void pauseMs_chance_isAnythingBelow() {
    assertThat(pauses(1_000_000, PatienceTest::shortest))
        .containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 1L, Patience.NONE);
  }

  /** Nobody waits for an answer that would come too late. */
  @Test
  void pauseMs_noTimeLeft_isNone() {
    Patience patience = new Patience(100, nanos::get, PatienceTest::longest);
    passMs(79);
    assertThat(patience.pauseMs(1)).isEqualTo(20);
    passMs(1);
    assertThat(patience.pauseMs(1)).isEqualTo(Patience.NONE);
    passMs(1_000);
    assertThat(patience.pauseMs(1)).isEqualTo(Patience.NONE);
  }

  @Test
  void remainingMs_timePasses_shrinksToOne() {
    Patience patience = new Patience(100, nanos::get, PatienceTest::longest);
    assertThat(patience.remainingMs()).isEqualTo(100);
    passMs(30);
    assertThat(patience.remainingMs()).isEqualTo(70);
    passMs(1_000);
    assertThat(patience.remainingMs()).isEqualTo(1);
  }

  @Test
  void remainingMs_forEver_isForEver() {
    Patience patience = new Patience(Long.MAX_VALUE, nanos::get, PatienceTest::longest);
    passMs(5);
    assertThat(patience.remainingMs()).isEqualTo(Long.MAX_VALUE - 5);
  }

  @Test
  void new_noTime_isRefused() {
    assertThatThrownBy(() -> new Patience(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeoutMs 0 must be positive");
  }

  private List<Long> pauses(long timeoutMs, LongUnaryOperator below) {
    Patience patience = new Patience(timeoutMs, nanos::get, below);
    List<Long> pauses = new ArrayList<>();
    for (int rounds = 1; rounds <= Patience.MAX_ROUNDS; rounds++) {
      pauses.add(patience.pauseMs(rounds));
    }
    return pauses;
  }

  private void passMs(long ms) {
    nanos.addAndGet(ms * 1_000_000);
  }
}
