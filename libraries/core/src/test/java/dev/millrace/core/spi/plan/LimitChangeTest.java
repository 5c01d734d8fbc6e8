package dev.millrace.core.spi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import org.junit.jupiter.api.Test;

class LimitChangeTest {
  @Test
  void accepts_bothBounds_includesTheEdges() {
    LimitChange change = new LimitChange("rpm", 0, 0, -5, 7);

    assertThat(change.accepts(-6)).isFalse();
    assertThat(change.accepts(-5)).isTrue();
    assertThat(change.accepts(7)).isTrue();
    assertThat(change.accepts(8)).isFalse();
    assertThat(change.hasFloor()).isTrue();
    assertThat(change.hasCeiling()).isTrue();
  }

  @Test
  void accepts_unconditional_takesAnyBalance() {
    LimitChange change = LimitChange.unconditional("rpm", -1, 1);

    assertThat(change.accepts(Long.MIN_VALUE)).isTrue();
    assertThat(change.accepts(Long.MAX_VALUE)).isTrue();
    assertThat(change.hasFloor()).isFalse();
    assertThat(change.hasCeiling()).isFalse();
  }
}
