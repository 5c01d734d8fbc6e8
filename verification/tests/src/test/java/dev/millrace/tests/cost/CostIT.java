package dev.millrace.tests.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import dev.millrace.tests.support.Dynamo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What each operation costs, as DynamoDB reports it and, for refused writes, as AWS bills it. The
 * table of {@code docs/operate/cost.md} is checked against it.
 */
class CostIT {
  private static final String[] NAMES = {
    "rpm", "tpm", "rpd", "tpd", "rph", "tph", "rps", "tps", "ipm", "opm"
  };
  private static final String RESOURCE = "gpt-4.1-2026-11-turbo".substring(0, 20);
  private static final String INDEXES_AT_CREATION = "2, at creation only";

  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;
  private static String table;

  private final String entity = UUID.randomUUID().toString();
  private final ManualClock clock = new ManualClock(System.currentTimeMillis());
  private final RecordingStore store =
      RecordingStore.over(DynamoStore.of(client, table), DynamoStore.of(asyncClient, table));

  /** What one operation cost. */
  private record Cost(int roundTrips, double readUnits, double writeUnits, double indexUnits) {}

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    asyncClient = Dynamo.asyncClient(Dynamo.endpoint());
    table = Dynamo.newTable(client);
  }

  @AfterAll
  static void closeClients() {
    client.close();
    asyncClient.close();
  }

  private RateLimiter limiter() {
    return RateLimiter.create(
        store,
        LimiterOptions.builder()
            .time(clock)
            .correctClock(false) // the clock stands still
            .timeout(Duration.ofSeconds(30))
            .build());
  }

  private static LimitSet limits(int count, String suffix) {
    List<Limit> limits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      limits.add(Limit.perMinute(NAMES[i] + suffix, 1_000_000));
    }
    return LimitSet.of(limits);
  }

  private AcquireRequest request(LimitSet limits, long amount) {
    AcquireRequest request = AcquireRequest.of(entity, RESOURCE).limits(limits);
    for (Limit limit : limits) {
      request = request.consume(limit.name(), amount);
    }
    return request;
  }

  /** Beside the look-up of stored configuration, once a minute, which has a row of its own. */
  private Cost cost(Runnable operation) {
    store.clear();
    operation.run();
    double readUnits = 0;
    for (RecordingStore.Exchange exchange : store.exchanges()) {
      if (!(exchange.call() instanceof StoreCall.Lookup)) {
        readUnits += exchange.reply().receipt().readUnits();
      }
    }
    Receipt spent = store.spent();
    return new Cost(
        store.roundTrips(Calls.lookups().negate()),
        readUnits,
        spent.writeUnits(),
        spent.indexWriteUnits());
  }

  private Map<String, AttributeValue> item() {
    BucketKey key = BucketKey.first("default", entity, RESOURCE);
    return client
        .getItem(get -> get.tableName(table).key(BucketCodec.key(key)).consistentRead(true))
        .item();
  }

  /** The rows of the table in {@code docs/operate/cost.md}, measured. */
  private List<String> measure(LimitSet limits) {
    AcquireRequest one = request(limits, 1_234);
    List<String> rows = new ArrayList<>();

    Cost first = cost(() -> limiter().acquire(one));
    int units = ItemSize.writeUnits(item());
    assertThat(first).isEqualTo(new Cost(2, 1, units, 2));
    rows.add(row("first acquire, no bucket yet", first, INDEXES_AT_CREATION));

    RateLimiter limiter = limiter();
    clock.advance(Duration.ofMillis(37));
    Cost ofProcess = cost(() -> limiter.acquire(one));
    assertThat(ofProcess).isEqualTo(new Cost(2, 1, units, 0));
    rows.add(row("a process's first acquire, bucket exists", ofProcess));

    clock.advance(Duration.ofMillis(37));
    Cost warm = cost(() -> limiter.acquire(one));
    assertThat(warm).isEqualTo(new Cost(1, 0, units, 0));
    rows.add(row("acquire, warm", warm));

    clock.advance(Duration.ofMillis(37));
    limiter().acquire(one);
    clock.advance(Duration.ofMillis(37));
    Cost lostLock = cost(() -> limiter.acquire(one));
    assertThat(lostLock).isEqualTo(new Cost(2, 0, 2.0 * units, 0));
    rows.add(row("acquire, warm, lost the lock once", lostLock));

    AcquireRequest tooMuch = request(limits, 1_000_000);
    Cost refused = cost(() -> assertRefused(limiter, tooMuch));
    assertThat(refused).isEqualTo(new Cost(0, 0, 0, 0));
    rows.add(row("refusal, state seen less than 1 s ago", refused));

    clock.advance(Duration.ofSeconds(1));
    Cost refusedLater = cost(() -> assertRefused(limiter, request(limits, 1_000_001)));
    assertThat(refusedLater).isEqualTo(new Cost(1, 1, 0, 0));
    rows.add(row("refusal, older state", refusedLater));

    Lease lease = limiter.acquire(one);
    for (Limit limit : limits) {
      lease.adjust(limit.name(), 77);
    }
    Cost settled = cost(lease::close);
    assertThat(settled).isEqualTo(new Cost(1, 0, units, 0));
    rows.add(row("settle with an adjust", settled));

    Lease unchanged = limiter.acquire(one);
    assertThat(cost(unchanged::close)).isEqualTo(new Cost(0, 0, 0, 0));
    assertThat(ItemSize.writeUnits(item())).as("the item does not outgrow it").isEqualTo(units);
    return rows;
  }

  private static void assertRefused(RateLimiter limiter, AcquireRequest request) {
    assertThat(limiter.tryAcquire(request)).isInstanceOf(Acquisition.Refused.class);
  }

  private static String row(String operation, Cost cost) {
    return row(operation, cost, number(cost.indexUnits));
  }

  private static String row(String operation, Cost cost, String indexes) {
    return "| %s | %d | %s | %s | %s |"
        .formatted(
            operation, cost.roundTrips, number(cost.readUnits), number(cost.writeUnits), indexes);
  }

  private static String number(double units) {
    return units == Math.rint(units) ? String.valueOf((long) units) : String.valueOf(units);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10})
  void operation_upToTenLimits_costsWhatTheDocumentSays(int count) throws IOException {
    List<String> rows = measure(limits(count, ""));

    print(count, rows);
    assertThat(Files.readString(Path.of("..", "..", "docs", "operate", "cost.md"))).contains(rows);
  }

  /** Past 1,024 bytes a write is two units, whatever it changes. */
  @Test
  void operation_tenLimitsWithLongNames_costsTwoUnitsAWrite() {
    List<String> rows = measure(limits(10, "-of-the-free-tier"));

    print(10, rows);
    assertThat(ItemSize.bytes(item())).isBetween(1_025, 2_048);
  }

  private void print(int count, List<String> rows) {
    System.out.printf(
        "%nCost with %d limits, an item of %d bytes:%n", count, ItemSize.bytes(item()));
    System.out.println("| operation | round trips | RCU | WCU table | WCU indexes |");
    System.out.println("|---|---|---|---|---|");
    rows.forEach(System.out::println);
  }

  @ParameterizedTest
  @CsvSource({"1, 700", "2, 700", "5, 1024"})
  void item_uuidAndTwentyCharacterResource_isSmall(int count, int atMost) {
    assertThat(entity).hasSize(36);
    assertThat(RESOURCE).hasSize(20);
    LimitSet limits = limits(count, "");
    RateLimiter limiter = limiter();
    for (int i = 0; i < 20; i++) {
      clock.advance(Duration.ofMillis(1_013));
      Lease lease = limiter.acquire(request(limits, 12_345));
      lease.adjust("rpm", 6_789);
      lease.close();
    }

    assertThat(ItemSize.bytes(item())).isLessThanOrEqualTo(atMost);
  }
}
