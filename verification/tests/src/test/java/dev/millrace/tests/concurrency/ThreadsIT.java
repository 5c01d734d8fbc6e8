package dev.millrace.tests.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Ledger;
import dev.millrace.client.support.Load;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Many threads of one process on one bucket. */
@Tag("alone")
class ThreadsIT {
  private static final long GRAIN_MS = 100;

  /** Long, because a busy machine is not the subject here. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private static DynamoDbClient client;
  private static String table;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
  }

  @Test
  void acquire_64ThreadsOverload_keepsBoundAndLedgerAndAdmitsWhatIsDue() throws Exception {
    Limit rps = Limit.custom("rps", 4_000, 150, Duration.ofSeconds(1));
    Limit daily = Limit.perDay("rpd", 1_000_000);
    LimitSet limits = LimitSet.of(rps, daily);
    AcquireRequest request =
        AcquireRequest.of("threads-64", "gpt-4").limits(limits).consume("rps", 1).consume("rpd", 1);
    BlockingStore store = DynamoStore.of(client, table);
    try (RateLimiter limiter =
        RateLimiter.create(store, LimiterOptions.builder().timeout(TIMEOUT).build())) {
      AcquireRequest empty = AcquireRequest.of("threads-64", "gpt-4").limits(limits);
      limiter.acquire(empty.consume("rps", 4_000).consume("rpd", 1_000)).close();
      BucketKey key = BucketKey.first("default", "threads-64", "gpt-4");
      Ledger ledger = Ledger.open(store, key);

      Load load = Load.run(limiter, () -> request, "rps", 64, 8_000);

      ledger.requireBalanced("rps", load.admissions().totalMilli());
      ledger.requireBalanced("rpd", load.admissions().totalMilli());
      assertThat(load.admissions().worstRatio(rps, GRAIN_MS, 0)).isLessThanOrEqualTo(1.0);
      assertThat(load.leastRetryAfterMs()).isPositive();
      assertThat((double) load.admissions().totalMilli() / ledger.dueMilli("rps"))
          .isGreaterThan(0.97);
    }
  }

  @Test
  void acquire_200Writers_neverDriveABalanceBelowZero() throws Exception {
    AtomicLong leastMilli = new AtomicLong(Long.MAX_VALUE);
    Limit rps = Limit.perSecond("rps", 100);
    AcquireRequest request =
        AcquireRequest.of("writers-200", "gpt-4").limits(rps).consume("rps", 7);
    BlockingStore store = DynamoStore.of(client, table);
    BlockingStore watched =
        (call, timeoutMs) -> {
          StoreReply reply = store.execute(call, timeoutMs);
          if (reply instanceof StoreReply.Applied applied) {
            for (LimitState limit : applied.state().limits()) {
              leastMilli.accumulateAndGet(limit.tokensMilli(), Math::min);
            }
          }
          return reply;
        };
    LimiterOptions options = LimiterOptions.builder().timeout(TIMEOUT).build();
    try (RateLimiter limiter = RateLimiter.create(watched, options)) {
      Load load = Load.run(limiter, () -> request, "rps", 200, 4_000);

      assertThat(load.admissions().totalMilli()).isPositive();
      assertThat(leastMilli.get()).isNotNegative();
      assertThat(load.admissions().worstRatio(rps, GRAIN_MS, 0)).isLessThanOrEqualTo(1.0);
    }
  }
}
