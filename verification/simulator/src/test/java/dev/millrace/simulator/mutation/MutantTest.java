package dev.millrace.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.simulator.oracle.Promise;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MutantTest {
  private static final Mutant MUTANT =
      new Mutant(
          "floor-dropped",
          "A write takes what is not there.",
          new Catcher.Seeds(Set.of(Promise.NEVER_NEGATIVE), /* from= */ 0, 40),
          "core/src/main/java/Plan.java",
          "  floor(taken);\n",
          "  // nothing\n");

  @Test
  void applied_originalIsThereOnce_isReplaced() {
    assertThat(MUTANT.applied("{\n  floor(taken);\n}\n")).isEqualTo("{\n  // nothing\n}\n");
  }

  @Test
  void applied_originalIsGone_saysSo() {
    assertThatThrownBy(() -> MUTANT.applied("{\n}\n"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("floor-dropped: its original is not in core/src/main/java/Plan.java");
  }

  @Test
  void applied_originalIsThereTwice_saysSo() {
    assertThatThrownBy(() -> MUTANT.applied("  floor(taken);\n  floor(taken);\n"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("its original is more than once in core/src/main/java/Plan.java");
  }
}
