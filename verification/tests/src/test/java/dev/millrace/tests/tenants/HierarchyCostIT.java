package dev.millrace.tests.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Consistency;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.RoundStore;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.RecordingStore;
import dev.millrace.tests.support.Dynamo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What requests cost that draw on several buckets. The table of {@code docs/operate/cost.md} is
 * checked against it.
 */
class HierarchyCostIT {
  private static final String[] NAMES = {"key", "team", "unit", "org", "a", "b", "c", "d"};

  private static ExecutorService threads;
  private static DynamoDbClient client;
  private static String table;

  private final RoundStore rounds = new RoundStore(DynamoStore.of(client, table), threads);
  private final RecordingStore store = RecordingStore.over(rounds);
  private final Tenants tenants = new Tenants(DynamoStore.of(client, table));

  @BeforeAll
  static void createTable() {
    threads = Executors.newCachedThreadPool();
    client = Dynamo.client();
    table = Dynamo.newTable(client);
  }

  @AfterAll
  static void closeClient() {
    client.close();
    threads.shutdownNow();
  }

  /** An entity with so many ancestors, each with two limits of its own. */
  private String entityWith(int ancestors, String unique) {
    String[] ids = new String[ancestors + 1];
    for (int i = 0; i <= ancestors; i++) {
      ids[i] = NAMES[i] + "-" + unique + ancestors;
    }
    tenants.chain(ids);
    for (String id : ids) {
      tenants.limits(id, "rpm:100000", "tpm:10000000");
    }
    return ids[0];
  }

  private RateLimiter limiter() {
    return RateLimiter.create(
        store,
        LimiterOptions.builder()
            .timeout(Duration.ofMinutes(1))
            .configAge(Duration.ofHours(1))
            .build());
  }

  private static AcquireRequest request(String entity) {
    return AcquireRequest.of(entity, Tenants.RESOURCE).consume("rpm", 1).consume("tpm", 500);
  }

  /** One warm acquire, in which {@code calls} calls must be under way at the same time. */
  private Receipt warm(RateLimiter limiter, AcquireRequest request, int calls) {
    limiter.acquire(request).close();
    limiter.acquire(request).close();
    rounds.rounds(calls);
    store.clear();
    limiter.acquire(request);
    assertThat(store.roundTrips()).as("calls").isEqualTo(calls);
    assertThat(store.roundTrips(Calls.reads().or(Calls.lookups()))).as("reads").isZero();
    rounds.rounds(1);
    return store.spent();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 7})
  void acquire_warmWithAncestors_isOneRoundTripAndAUnitForEach(int ancestors) {
    String entity = entityWith(ancestors, "p");
    try (RateLimiter limiter = limiter()) {
      Receipt spent = warm(limiter, request(entity), ancestors + 1);

      assertThat(spent.readUnits()).isZero();
      assertThat(spent.writeUnits()).isEqualTo(ancestors + 1.0);
      assertThat(spent.indexWriteUnits()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void acquire_transactional_isOneCallAndTwoUnitsForEach(int ancestors) {
    String entity = entityWith(ancestors, "t");
    try (RateLimiter limiter = limiter()) {
      Receipt spent =
          warm(limiter, request(entity).consistency(Consistency.TRANSACTIONAL), /* calls= */ 1);

      assertThat(spent.readUnits()).isZero();
      assertThat(spent.writeUnits()).isEqualTo(2 * (ancestors + 1.0));
      assertThat(spent.indexWriteUnits()).isZero();
    }
  }

  @Test
  void acquire_twoResources_isOneUnitMore() {
    String entity = entityWith(1, "r");
    tenants
        .admin()
        .limits()
        .set(
            dev.millrace.admin.LimitTarget.entityResource(entity, "llm-budget"),
            Tenants.set("cents:1000/day"));
    try (RateLimiter limiter = limiter()) {
      Receipt spent = warm(limiter, request(entity).and("llm-budget", "cents", 3), /* calls= */ 3);

      assertThat(spent.readUnits()).isZero();
      assertThat(spent.writeUnits()).isEqualTo(3);
      assertThat(spent.indexWriteUnits()).isZero();
    }
  }

  /**
   * A process that has just started finds everything in three rounds, however deep the tree: the
   * entity and its bucket, its ancestors and theirs, the writes.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  void acquire_cold_isAFewRoundsWhateverTheDepth(int ancestors) {
    String entity = entityWith(ancestors, "c");
    try (RateLimiter first = limiter()) {
      first.acquire(request(entity)).close();
    }
    try (RateLimiter limiter = limiter()) {
      store.clear();
      limiter.acquire(request(entity)).close();

      assertThat(store.roundTrips(Calls.lookups())).isEqualTo(ancestors == 0 ? 1 : 2);
      assertThat(store.roundTrips(Calls.reads())).isEqualTo(ancestors == 0 ? 1 : 2);
      assertThat(store.roundTrips(Calls.writes())).isEqualTo(ancestors + 1);
    }
  }

  @Test
  void document_saysWhatIsMeasuredHere() throws IOException {
    assertThat(Files.readString(Path.of("..", "..", "docs", "operate", "cost.md")))
        .contains(
            "| acquire, warm, k ancestors | 1 | 0 | k + 1 | 0 |",
            "| the same, transactional | 1 | 0 | 2 × (k + 1) | 0 |",
            "| each further resource | 0 | 0 | + 1 | 0 |");
  }
}
