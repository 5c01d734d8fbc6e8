package dev.millrace.cli.services.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check can fail. */
class LedgerTest {
  @Test
  void differences_everyWindowAddsUp_none() {
    assertThat(ledger(Map.of("a tpm", 5L, "b tpm", -2L), Map.of("a tpm", 5L, "b tpm", -2L)))
        .isEmpty();
  }

  @Test
  void differences_oneMillitokenTooManyOrTooFew_isNamed() {
    assertThat(ledger(Map.of("a tpm", 5L), Map.of("a tpm", 6L)))
        .containsExactly("day of a tpm: consumed 5, usage 6 (+1)");
    assertThat(ledger(Map.of("a tpm", 5L), Map.of()))
        .containsExactly("day of a tpm: consumed 5, usage 0 (-5)");
    assertThat(ledger(Map.of(), Map.of("a tpm", 7L)))
        .containsExactly("day of a tpm: consumed 0, usage 7 (+7)");
  }

  private static java.util.List<String> ledger(
      Map<String, Long> consumed, Map<String, Long> usage) {
    return new Ledger(consumed, Map.of("day", usage)).differences();
  }
}
