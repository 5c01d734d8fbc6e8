package dev.millrace.testkit.internal.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The search, on a number that can be added to: an addition answers the sum, 0 reads it. */
class LinearisabilityTest {
  private static final Specification<Integer, Integer, Integer> COUNTER =
      new Specification<>() {
        @Override
        public Integer initial() {
          return 0;
        }

        @Override
        public @Nullable Integer after(Integer state, Operation<Integer, Integer> operation) {
          Integer sum = state + operation.asked();
          return operation.isUnknown() || sum.equals(operation.answered()) ? sum : null;
        }
      };

  private static Operation<Integer, Integer> op(
      int who, long from, long to, int add, @Nullable Integer answered) {
    return new Operation<>(new CallerId("p", who), from, to, add, answered);
  }

  @SafeVarargs
  private static LinearisabilityVerdict check(Operation<Integer, Integer>... operations) {
    List<Operation<Integer, Integer>> all = new ArrayList<>();
    for (Operation<Integer, Integer> operation : operations) {
      all.add(operation);
    }
    return Linearisability.check(new History<>(all), COUNTER);
  }

  @Test
  void check_nothingAsked_isLinearisable() {
    assertThat(check()).isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_oneAfterTheOther_isLinearisable() {
    assertThat(check(op(1, 0, 1, 5, 5), op(2, 2, 3, 0, 5)))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_atTheSameTime_findsTheOrder() {
    assertThat(check(op(1, 0, 9, 5, 7), op(2, 1, 8, 2, 2), op(3, 2, 7, 0, 2)))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_touchingTimes_countAsTheSameTime() {
    assertThat(check(op(1, 0, 5, 5, 7), op(2, 5, 9, 2, 2)))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_staleRead_isBrokenAtTheRead() {
    Operation<Integer, Integer> stale = op(2, 2, 3, 0, 0);
    LinearisabilityVerdict verdict = check(op(1, 0, 1, 5, 5), stale, op(1, 4, 5, 5, 10));
    assertThat(verdict).isInstanceOf(LinearisabilityVerdict.Broken.class);
    assertThat(((LinearisabilityVerdict.Broken) verdict).culprit()).isEqualTo(stale);
  }

  @Test
  void check_lostUpdate_isBroken() {
    assertThat(check(op(1, 0, 9, 5, 5), op(2, 1, 8, 5, 5)))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_readsInOppositeOrders_isBroken() {
    // One sees the first addition alone, the other the second alone.
    assertThat(check(op(1, 0, 9, 1, 1), op(2, 0, 9, 2, 3), op(3, 0, 9, 0, 1), op(4, 0, 9, 0, 2)))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_unknownThatTookEffectAfterItsCallerGaveUp_isLinearisable() {
    assertThat(check(op(1, 0, 1, 5, null), op(2, 2, 3, 0, 0), op(2, 4, 5, 0, 5)))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_unknownThatNeverTookEffect_isLinearisable() {
    assertThat(check(op(1, 0, 1, 5, null), op(2, 2, 3, 0, 0)))
        .isInstanceOf(LinearisabilityVerdict.Linearisable.class);
  }

  @Test
  void check_unknownThatTookEffectTwice_isBroken() {
    assertThat(check(op(1, 0, 1, 5, null), op(2, 2, 3, 0, 10)))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_unknownThatTookEffectBeforeItWasAsked_isBroken() {
    assertThat(check(op(2, 0, 1, 0, 5), op(1, 2, 3, 5, null), op(2, 4, 5, 0, 5)))
        .isInstanceOf(LinearisabilityVerdict.Broken.class);
  }

  @Test
  void check_manyUnknownAlike_areExchangedForEachOther() {
    List<Operation<Integer, Integer>> operations = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      operations.add(op(i, 2L * i, 2L * i + 1, 1, null));
    }
    operations.add(op(99, 200, 201, 0, 61)); // one more than there were
    LinearisabilityVerdict verdict = Linearisability.check(new History<>(operations), COUNTER);
    assertThat(verdict).isInstanceOf(LinearisabilityVerdict.Broken.class);
    assertThat(verdict.configurations()).isLessThan(100);
  }

  @Test
  void check_tooManyOrders_isUndecidedAndNeverAPass() {
    List<Operation<Integer, Integer>> operations = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      operations.add(op(i, 0, 100, 1 << i, null));
    }
    operations.add(op(99, 200, 201, 0, -1));
    History<Integer, Integer> history = new History<>(operations);
    LinearisabilityVerdict verdict = Linearisability.check(history, COUNTER, 1_000);
    assertThat(verdict)
        .isInstanceOfSatisfying(
            LinearisabilityVerdict.Undecided.class,
            undecided -> {
              assertThat(undecided.configurations()).isEqualTo(1_000);
              assertThat(undecided.explanation()).contains("gave up after 1000 configurations");
            });
    assertThatThrownBy(() -> Linearisability.require(verdict))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("not decided");
  }

  @Test
  void require_broken_saysWhereAndFromWhichStates() {
    History<Integer, Integer> history =
        new History<>(
            List.of(
                op(1, 0, 1_000_000, 5, 5),
                op(2, 2_000_000, 9_000_000, 3, 8),
                op(3, 3_000_000, 4_000_000, 0, 7)));
    assertThatThrownBy(() -> Linearisability.require(history, COUNTER))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            no order explains the answer to
                p/3             3.000 to        4.000 ms  0 -> 7
            in any of the states reached by then:
                5
                8
            under way at that time (+ took effect on the way to the first of these states):
                p/2             2.000 to        9.000 ms  3 -> 8
            took effect last on that way:
              + p/1             0.000 to        1.000 ms  5 -> 5
            """);
  }

  @Test
  void check_generatedHistories_agreesWithTryingEveryOrder() {
    int broken = 0;
    for (long seed = 0; seed < 2_000; seed++) {
      History<Integer, Integer> history = generated(new SplittableRandom(seed));
      boolean expected = anyOrder(history.operations(), 0);
      broken += expected ? 0 : 1;
      assertThat(
              Linearisability.check(history, COUNTER)
                  instanceof LinearisabilityVerdict.Linearisable)
          .as("seed %d: %s", seed, history)
          .isEqualTo(expected);
    }
    assertThat(broken).isBetween(200, 1_800);
  }

  /** Up to six operations in a random order, one of them perhaps with a wrong answer. */
  private static History<Integer, Integer> generated(SplittableRandom random) {
    List<Operation<Integer, Integer>> operations = new ArrayList<>();
    int sum = 0;
    long at = 0;
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      int add = random.nextInt(3);
      boolean lost = random.nextInt(4) == 0;
      sum += lost && random.nextBoolean() ? 0 : add;
      int told = random.nextInt(8) == 0 ? sum + 1 : sum;
      at += 1 + random.nextInt(4);
      long from = at - random.nextInt(6);
      operations.add(op(i, from, at + random.nextInt(6), add, lost ? null : told));
    }
    return new History<>(operations);
  }

  /** The definition, word by word. */
  private static boolean anyOrder(List<Operation<Integer, Integer>> left, int state) {
    if (left.stream().allMatch(Operation::isUnknown)) {
      return true;
    }
    for (Operation<Integer, Integer> first : left) {
      boolean minimal =
          left.stream()
              .noneMatch(op -> !op.isUnknown() && op.returnedNanos() < first.invokedNanos());
      Integer after = COUNTER.after(state, first);
      if (minimal && after != null) {
        List<Operation<Integer, Integer>> rest = new ArrayList<>(left);
        rest.remove(first);
        if (anyOrder(rest, after)) {
          return true;
        }
      }
    }
    return false;
  }
}
