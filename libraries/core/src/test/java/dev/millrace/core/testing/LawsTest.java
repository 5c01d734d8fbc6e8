package dev.millrace.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LawsTest {
  @Test
  void check_lawThatFails_namesTheSeedOfTheCase() {
    assertThatThrownBy(
            () ->
                Laws.check(
                    10,
                    gen -> {
                      throw new AssertionError("broken");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("replay this case with -Dseed=[0-9]+: broken");
  }

  @Test
  void gen_sameSeed_givesTheSameValues() {
    assertThat(values(new Gen(7))).isEqualTo(values(new Gen(7))).isNotEqualTo(values(new Gen(8)));
  }

  private static List<Object> values(Gen gen) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      values.add(gen.refill());
      values.add(gen.instantMs());
      values.add(gen.stretchMs());
    }
    return values;
  }
}
