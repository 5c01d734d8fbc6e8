package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BenchCommandTest {
  private static final int USAGE = 2;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"                          | Missing scenario: one of single, hot",
        "hott                          | Unknown scenario 'hott'",
        "hot --bogus                   | Unknown option: '--bogus'",
        "hot --backend redis           | 'redis' is neither embedded nor model",
        "hot --seconds 0               | --seconds 0.0 must be from 0.1 to 3600.0",
        "hot --seconds x               | 'x' is not a double",
        "hot --warmup -1               | --warmup -1.0 must be from 0.0 to 3600.0",
        "hot --rtt -1                  | --rtt -1.0 must be from 0.0 to 1000.0",
        "hot --threads 0               | --threads 0 must be from 1 to 10000",
        "hot --callers 0               | --callers 0 must be from 1 to 1000000",
        "hot --processes 0             | --processes 0 must be from 1 to 10000",
        "overload --rate 0             | --rate 0.0 must be above 0",
        "refuse --processes 2          | the scenario 'refuse' has no --processes; it has --threads",
        "many-processes --threads 2    | has no --threads",
        "hot --rate 5                  | has no --rate",
        "cascade --children 0          | --children 0 must be from 1 to 10000",
        "cascade --depth 8             | --depth 8 must be from 1 to 7",
        "cascade --threads 2           | has no --threads; it has --rate, --children, --depth",
        "hot --transactional           | has no --transactional",
        "shards --threads 2            | has no --threads; it has --processes, --rate",
        "shards --rate 0               | --rate 0.0 must be above 0",
        "all --seconds 0               | --seconds 0.0 must be",
        "all --threads 5               | Unknown option",
        "peers --threads 0             | --threads 0 must be from 1 to 10000",
        "jmh --iterations 0            | --iterations 0 must be from 1 to 1000",
        "aggregate --seconds 0         | --seconds 0 must be from 1 to 600",
      })
  void bench_badOptions_isWrongUsage(String args, String message) {
    Bencher run = bench(args.isBlank() ? new String[0] : args.split(" "));
    assertThat(run.exitCode()).isEqualTo(USAGE);
    assertThat(run.err()).contains(message).contains("Usage:");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void bench_help_namesEveryScenarioAndOption() {
    Bencher run = bench("--help");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("single", "hot", "spread", "many-processes", "overload", "refuse", "settle")
        .contains("prefetch", "--backend", "--seconds", "--warmup", "--processes", "--threads")
        .contains("--callers", "--rtt", "--rate", "--no-grouping", "--json")
        .contains("cascade", "--children", "--depth", "--transactional", "shards");
  }

  @Test
  void bench_withoutJson_printsATable() {
    Bencher run = bench("hot", "--callers", "2", "--seconds", "0.3", "--warmup", "0", "--rtt", "1");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("perSecond").contains("maxOverAdmission").doesNotContain("{");
  }

  @Test
  void bench_shardsWithoutJson_printsEverySecond() {
    Bencher run =
        bench("shards --processes 1 --rate 20 --seconds 1.3 --warmup 0 --rtt 1".split(" "));
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("maxShards")
        .containsPattern("growth +admitted +failed +writes +throttled +shards")
        .containsPattern("second 1 ");
  }
}
