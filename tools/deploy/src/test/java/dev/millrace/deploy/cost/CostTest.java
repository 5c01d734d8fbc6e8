package dev.millrace.deploy.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.deploy.cost.Load.Counting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostTest {
  private static final Load PLAIN = Load.builder(1e8, 10_000).aggregator(Counting.NONE).build();

  @TempDir private Path directory;

  /**
   * The table of {@code docs/operate/cost.md} is what the cost tests measure; the calculator must
   * not have another.
   */
  @Test
  void countedUnits_areThoseOfTheTable() throws IOException {
    String document = Files.readString(Path.of("../../docs/operate/cost.md"));

    assertThat(document)
        .contains(
            "| first acquire, no bucket yet | 2 | %s | %s | %s, at creation only |"
                .formatted(
                    whole(CountedUnits.FIRST_LOOK),
                    whole(CountedUnits.WRITE),
                    whole(CountedUnits.INDEX_WRITES_AT_CREATION)))
        .contains("| acquire, warm | 1 | 0 | %s | 0 |".formatted(whole(CountedUnits.WRITE)))
        .contains("| settle with an adjust | 1 | 0 | %s | 0 |".formatted(whole(CountedUnits.WRITE)))
        .contains(
            "| refusal, older state | 1 | %s | 0 | 0 |".formatted(whole(CountedUnits.OLD_REFUSAL)))
        .contains(
            "| the same, transactional | 1 | 0 | %s × (k + 1) | 0 |"
                .formatted(whole(CountedUnits.TRANSACTION)))
        .contains("at most seven records", "half a\nread unit each");
    assertThat(CountedUnits.LOOKED_UP * CountedUnits.LOOK_UP).isEqualTo(3.5);
  }

  @Test
  void measuredFigures_areThoseOfTheDocuments() throws IOException {
    assertThat(Files.readString(Path.of("../../docs/guide/usage.md")))
        .contains(
            "| %,d |".formatted((long) CountedUnits.USAGE_WRITES_BY_100),
            "| %,d |".formatted((long) CountedUnits.USAGE_WRITES_BY_1000));
    assertThat(Files.readString(Path.of("../../docs/operate/operations.md")))
        .contains(
            "149 + 3 × namespace + 4 × (entity id + resource) + Σ over limits (35 + 4 × name)");
    assertThat(Files.readString(Path.of("../../docs/guide/regions.md")))
        .contains("%,d gzipped".formatted(Math.round(CountedUnits.SNAPSHOT_BYTES * 20_000)))
        .contains("reads one item of configuration and one bucket of each");
  }

  private static String whole(double number) {
    return String.valueOf((long) number);
  }

  @Test
  void bill_plainAcquires_areOneWriteUnitEach() {
    Bill bill = Calculator.bill(Prices.own(), PLAIN);

    assertThat(dollars(bill, "acquires")).isCloseTo(62.5, within(1e-9));
    assertThat(bill.perMillion(dollars(bill, "acquires"))).isCloseTo(0.625, within(1e-9));
    assertThat(dollars(bill, "usage")).isZero();
    assertThat(bill.dollars())
        .isEqualTo(bill.items().stream().mapToDouble(CostItem::dollars).sum());
  }

  @Test
  void bill_everyOption_changesWhatItSays() {
    assertThat(acquires(Load.builder(1e8, 10_000).ancestors(2).build()))
        .as("two ancestors")
        .isEqualTo(3e8);
    assertThat(acquires(Load.builder(1e8, 10_000).ancestors(2).transactional(true).build()))
        .as("in a transaction")
        .isEqualTo(6e8);
    assertThat(acquires(Load.builder(1e8, 50).grouping(20).build()))
        .as("twenty to a write")
        .isEqualTo(5e6);
    assertThat(acquires(Load.builder(1e8, 50).limits(20).build()))
        .as("an item of more than 1,024 bytes")
        .isEqualTo(2e8);
    assertThat(acquires(Load.builder(1e8, 50).refused(0.5).build()))
        .as("half is refused")
        .isEqualTo(5e7);
  }

  private static double acquires(Load load) {
    return item(Calculator.bill(Prices.own(), load), "acquires").amount();
  }

  @Test
  void bill_usageIsCounted_costsWritesAndAFunction() {
    Load counted = Load.builder(1e8, 10_000).build();

    Bill bill = Calculator.bill(Prices.own(), counted);

    assertThat(item(bill, "usage").amount()).isBetween(1e8, 3e8);
    Load largerBatches = Load.builder(1e8, 10_000).batchSeconds(60).build();
    assertThat(item(Calculator.bill(Prices.own(), largerBatches), "usage").amount())
        .isEqualTo(1e5 * CountedUnits.USAGE_WRITES_BY_1000, within(1.0))
        .isLessThan(item(bill, "usage").amount());
    assertThat(CountedUnits.usageWrites(1)).isEqualTo(3_000);
    assertThat(CountedUnits.usageWrites(100)).isEqualTo(CountedUnits.USAGE_WRITES_BY_100);
    assertThat(CountedUnits.usageWrites(5_000)).isEqualTo(CountedUnits.USAGE_WRITES_BY_1000);
    assertThat(dollars(bill, "aggregator")).isPositive();
    assertThat(bill.dollars()).isGreaterThan(Calculator.bill(Prices.own(), PLAIN).dollars());
  }

  @Test
  void bill_regionsShare_costsReadsAndSnapshots() {
    Load shared = Load.builder(1e8, 10_000).regions(3).sharedPairs(1_000).build();

    Bill bill = Calculator.bill(Prices.own(), shared);

    assertThat(item(bill, "snapshots written").amount()).isEqualTo(3 * 262_800.0);
    assertThat(item(bill, "snapshots read").amount()).isEqualTo(6 * 262_800.0);
    assertThat(item(bill, "shares of other regions").amount()).isEqualTo(3 * 262_800.0 * 2_000);
  }

  @Test
  void load_outOfRange_isRefused() {
    assertThatThrownBy(() -> Load.builder(1e8, 0).build())
        .hasMessage("entities 0 must be from 1 to 1000000000000");
    assertThatThrownBy(() -> Load.builder(Double.NaN, 1).build())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void prices_file_overridesWhatItNames() throws IOException {
    Path file = directory.resolve("prices.json");
    Files.writeString(
        file,
        "{\"region\":\"eu\",\"date\":\"2026-11-01\",\"prices\":{\"writeUnitsPerMillion\":2}}");

    Prices prices = Prices.read(file);

    assertThat(prices.region()).isEqualTo("eu");
    assertThat(prices.price("writeUnitsPerMillion")).isEqualTo(2);
    assertThat(prices.price("readUnitsPerMillion"))
        .isEqualTo(Prices.own().price("readUnitsPerMillion"));
    Files.writeString(file, "{\"prices\":{\"writeUnits\":2}}");
    assertThatThrownBy(() -> Prices.read(file)).hasMessageContaining("'writeUnits' is none of");
    Files.writeString(file, "{\"prices\":{\"writeUnitsPerMillion\":\"x\"}}");
    assertThatThrownBy(() -> Prices.read(file)).hasMessageContaining("is no number");
    assertThatThrownBy(() -> Prices.read(directory.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Map.copyOf(Prices.own().of())).hasSize(10);
  }

  private static CostItem item(Bill bill, String what) {
    return bill.items().stream().filter(i -> i.what().equals(what)).findAny().orElseThrow();
  }

  private static double dollars(Bill bill, String what) {
    return bill.items().stream()
        .filter(item -> item.what().equals(what))
        .mapToDouble(CostItem::dollars)
        .sum();
  }
}
