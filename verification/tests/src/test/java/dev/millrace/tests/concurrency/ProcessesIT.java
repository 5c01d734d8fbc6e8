package dev.millrace.tests.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Ledger;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.BucketWorker;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Several processes on one bucket. */
class ProcessesIT {
  private static final long GRAIN_MS = 100;
  private static final String LIMITS = "rps:150/sec:4000";
  private static final Limit RPS = LimitNotation.parse(LIMITS);

  private static DynamoDbClient client;
  private static String table;
  private static BlockingStore store;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
    store = DynamoStore.of(client, table);
  }

  /** Creates the bucket and empties it, so that the ledger starts where nothing is clipped. */
  private static Ledger emptyBucket(String entity) {
    LimiterOptions patient = LimiterOptions.builder().timeout(Duration.ofMinutes(1)).build();
    try (RateLimiter limiter = RateLimiter.create(store, patient)) {
      limiter.acquire(AcquireRequest.of(entity, "gpt-4").limits(RPS).consume("rps", 4_000)).close();
    }
    return Ledger.open(store, BucketKey.first("default", entity, "gpt-4"));
  }

  private static BucketWorker.Job job(String entity, long offsetMs, boolean correctClock) {
    return new BucketWorker.Job(
        Dynamo.endpoint(), table, entity, LIMITS, "rps", 8, 6_000, offsetMs, correctClock);
  }

  @Test
  @Tag("alone")
  void acquire_4ProcessesOverload_keepsBoundAndLedgerAndAdmitsWhatIsDue() throws Exception {
    String entity = "processes-4";
    Ledger ledger = emptyBucket(entity);
    List<BucketWorker.Job> jobs =
        IntStream.range(0, 4).mapToObj(i -> job(entity, 0, true)).toList();

    BucketWorker.Result result = BucketWorker.runAll(jobs);

    ledger.requireBalanced("rps", result.admissions().totalMilli());
    assertThat(result.admissions().worstRatio(RPS, GRAIN_MS, 0)).isLessThanOrEqualTo(1.0);
    assertThat(result.leastRetryAfterMs()).isPositive();
    assertThat((double) result.admissions().totalMilli() / ledger.dueMilli("rps"))
        .isGreaterThan(0.97);
  }

  @ParameterizedTest
  @CsvSource({"1000, true", "5000, true", "1000, false", "5000, false"})
  void acquire_twoProcessesWithClocksApart_staysWithinTheBound(long apartMs, boolean corrected)
      throws Exception {
    String entity = "skew-" + apartMs + "-" + corrected;
    emptyBucket(entity);

    BucketWorker.Result result =
        BucketWorker.runAll(List.of(job(entity, 0, corrected), job(entity, apartMs, corrected)));

    assertThat(result.admissions().totalMilli()).isPositive();
    assertThat(result.admissions().worstRatio(RPS, GRAIN_MS, apartMs)).isLessThanOrEqualTo(1.0);
  }
}
