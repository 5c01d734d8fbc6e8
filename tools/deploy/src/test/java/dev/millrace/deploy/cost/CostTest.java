package dev.millrace.deploy.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.deploy.cost.MonthlyLoad.AggregatorKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostTest {
  private static final MonthlyLoad PLAIN =
      new MonthlyLoad(numbers(1e8, 10_000, Map.of()), false, AggregatorKind.NONE);

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
    assertThat(acquires(load(1e8, 10_000, Map.of(LoadNumber.CASCADE, 2.0))))
        .as("two ancestors")
        .isEqualTo(3e8);
    assertThat(
            acquires(
                new MonthlyLoad(
                    numbers(1e8, 10_000, Map.of(LoadNumber.CASCADE, 2.0)),
                    /* transactional= */ true,
                    AggregatorKind.LAMBDA)))
        .as("in a transaction")
        .isEqualTo(6e8);
    assertThat(acquires(load(1e8, 50, Map.of(LoadNumber.GROUPING, 20.0))))
        .as("twenty to a write")
        .isEqualTo(5e6);
    assertThat(acquires(load(1e8, 50, Map.of(LoadNumber.LIMITS, 20.0))))
        .as("an item of more than 1,024 bytes")
        .isEqualTo(2e8);
    assertThat(acquires(load(1e8, 50, Map.of(LoadNumber.REFUSED, 0.5))))
        .as("half is refused")
        .isEqualTo(5e7);
  }

  private static double acquires(MonthlyLoad load) {
    return item(Calculator.bill(Prices.own(), load), "acquires").amount();
  }

  @Test
  void bill_usageIsCounted_costsWritesAndAFunction() {
    MonthlyLoad counted = load(1e8, 10_000, Map.of());

    Bill bill = Calculator.bill(Prices.own(), counted);

    assertThat(item(bill, "usage").amount()).isBetween(1e8, 3e8);
    MonthlyLoad largerBatches = load(1e8, 10_000, Map.of(LoadNumber.BATCH_WINDOW, 60.0));
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
    MonthlyLoad shared =
        load(1e8, 10_000, Map.of(LoadNumber.REGIONS, 3.0, LoadNumber.SHARED_PAIRS, 1_000.0));

    Bill bill = Calculator.bill(Prices.own(), shared);

    assertThat(item(bill, "snapshots written").amount()).isEqualTo(3 * 262_800.0);
    assertThat(item(bill, "snapshots read").amount()).isEqualTo(6 * 262_800.0);
    assertThat(item(bill, "shares of other regions").amount()).isEqualTo(3 * 262_800.0 * 2_000);
  }

  @Test
  void load_outOfRange_isRefused() {
    assertThatThrownBy(() -> load(1e8, 0, Map.of()))
        .hasMessage("entities 0 must be from 1 to 1000000000000");
    assertThatThrownBy(() -> load(Double.NaN, 1, Map.of()))
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

  private static MonthlyLoad load(
      double requests, double entities, Map<LoadNumber, Double> numbers) {
    return new MonthlyLoad(
        numbers(requests, entities, numbers), /* transactional= */ false, AggregatorKind.LAMBDA);
  }

  private static Map<LoadNumber, Double> numbers(
      double requests, double entities, Map<LoadNumber, Double> others) {
    Map<LoadNumber, Double> numbers = new EnumMap<>(LoadNumber.class);
    numbers.put(LoadNumber.REQUESTS, requests);
    numbers.put(LoadNumber.ENTITIES, entities);
    numbers.putAll(others);
    return numbers;
  }
}
