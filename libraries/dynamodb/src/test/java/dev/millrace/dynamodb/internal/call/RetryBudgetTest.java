package dev.millrace.dynamodb.internal.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  private static long longest(long bound) {
    return bound - 1;
  }

  private static long shortest(long bound) {
    return 0;
  }

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5); // may wrap around

  @Test
  void pauseMs_eachRound_isTwiceAsLongUpToALimit() {
    assertThat(pauses(1_000_000, RetryBudgetTest::longest))
        .containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1_000L, RetryBudget.NONE);
  }

  @Test
  void pauseMs_chance_isAnythingBelow() {
    assertThat(pauses(1_000_000, RetryBudgetTest::shortest))
        .containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 1L, RetryBudget.NONE);
  }

  /** Nobody waits for an answer that would come too late. */
  @Test
  void pauseMs_noTimeLeft_isNone() {
    RetryBudget budget = new RetryBudget(100, nanos::get, RetryBudgetTest::longest);
    passMs(79);
    assertThat(budget.pauseMs(1)).isEqualTo(20);
    passMs(1);
    assertThat(budget.pauseMs(1)).isEqualTo(RetryBudget.NONE);
    passMs(1_000);
    assertThat(budget.pauseMs(1)).isEqualTo(RetryBudget.NONE);
  }

  @Test
  void remainingMs_timePasses_shrinksToOne() {
    RetryBudget budget = new RetryBudget(100, nanos::get, RetryBudgetTest::longest);
    assertThat(budget.remainingMs()).isEqualTo(100);
    passMs(30);
    assertThat(budget.remainingMs()).isEqualTo(70);
    passMs(1_000);
    assertThat(budget.remainingMs()).isEqualTo(1);
  }

  @Test
  void remainingMs_forEver_isForEver() {
    RetryBudget budget = new RetryBudget(Long.MAX_VALUE, nanos::get, RetryBudgetTest::longest);
    passMs(5);
    assertThat(budget.remainingMs()).isEqualTo(Long.MAX_VALUE - 5);
  }

  @Test
  void new_noTime_isRefused() {
    assertThatThrownBy(() -> new RetryBudget(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeoutMs 0 must be positive");
  }

  private List<Long> pauses(long timeoutMs, LongUnaryOperator below) {
    RetryBudget budget = new RetryBudget(timeoutMs, nanos::get, below);
    List<Long> pauses = new ArrayList<>();
    for (int rounds = 1; rounds <= RetryBudget.MAX_ROUNDS; rounds++) {
      pauses.add(budget.pauseMs(rounds));
    }
    return pauses;
  }

  private void passMs(long ms) {
    nanos.addAndGet(ms * 1_000_000);
  }
}
