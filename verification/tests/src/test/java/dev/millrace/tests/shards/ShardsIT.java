package dev.millrace.tests.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Eight processes on one bucket of DynamoDB Local, which is divided and folded back meanwhile. */
@Tag("alone")
class ShardsIT {
  private static final int PROCESSES = 8;
  private static final int MAX_SHARDS = 8;
  private static final long TIMEOUT_MS = 10_000;
  private static final Limit RPS = LimitNotation.parse(ShardWorker.LIMITS);

  @Test
  void acquire_dividedAndFoldedBackBy8Processes_keepsTheBooksToTheMillitoken() throws Exception {
    DynamoDbClient client = Dynamo.client();
    String table = Dynamo.newTable(client);
    BlockingStore store = DynamoStore.of(client, table);
    BucketKey key = BucketKey.first("default", "hot", "gpt-4");
    empty(store);
    LimitState opening = rps(read(store, key).get(0));
    long openedAtMs = read(store, key).get(0).refilledAtMs();

    ShardWorker.Result result =
        ShardWorker.runAll(
            LongStream.range(0, PROCESSES)
                .mapToObj(seed -> new ShardWorker.Job(Dynamo.endpoint(), table, "hot", seed))
                .toList(),
            () -> Await.until(() -> read(store, key).size() == MAX_SHARDS, "it is divided"),
            () ->
                Await.until(() -> read(store, key).size() <= MAX_SHARDS / 2, "it is folded back"));

    assertThat(result.splits())
        .as("shards split: %s", result)
        .isGreaterThanOrEqualTo(MAX_SHARDS - 1);
    assertThat(result.merges())
        .as("shards merged: %s", result)
        .isGreaterThanOrEqualTo(MAX_SHARDS / 2);
    assertThat(result.netMilli()).isPositive();
    List<BucketState> shards = read(store, key);
    long consumedMilli = 0;
    long tokensMilli = 0;
    long earnedMilli = 0;
    double parts = 0;
    for (BucketState shard : shards) {
      consumedMilli += rps(shard).consumedMilli();
      tokensMilli += rps(shard).tokensMilli();
      earnedMilli += earnedMilli(shard, openedAtMs);
      parts += 1.0 / shard.division().level();
    }
    assertThat(parts).as("every part of the limit is held once: %s", shards).isEqualTo(1);
    assertThat(consumedMilli - opening.consumedMilli()).isEqualTo(result.netMilli());
    assertThat(tokensMilli).isEqualTo(opening.tokensMilli() + earnedMilli - result.netMilli());
  }

  /** Creates the bucket and empties it, so that nothing is clipped at a ceiling. */
  private static void empty(BlockingStore store) {
    LimiterOptions patient =
        LimiterOptions.builder()
            .timeout(Duration.ofMinutes(1))
            .partitionWriteUnits(ShardWorker.WRITE_UNITS)
            .build();
    try (RateLimiter limiter = RateLimiter.create(store, patient)) {
      limiter
          .acquire(AcquireRequest.of("hot", "gpt-4").limits(RPS).consume("rps", 100_000))
          .close();
    }
  }

  private static List<BucketState> read(BlockingStore store, BucketKey key) {
    List<BucketKey> keys = IntStream.range(0, MAX_SHARDS).mapToObj(key::withShard).toList();
    StoreReply reply = store.execute(new StoreCall.ReadAll(keys), TIMEOUT_MS);
    return keys.stream()
        .map(((StoreReply.FoundAll) reply).states()::get)
        .filter(Objects::nonNull)
        .toList();
  }

  private static LimitState rps(BucketState shard) {
    return Objects.requireNonNull(shard.find("rps"));
  }

  /**
   * What a shard's part of the bucket earned since the opening, whoever held it in between, counted
   * independently of the code under test: of all that the limit earned, what leaves the rest.
   */
  private static long earnedMilli(BucketState shard, long fromMs) {
    BigInteger level = BigInteger.valueOf(shard.division().level());
    BigInteger rest = BigInteger.valueOf(shard.key().shard());
    return below(cumulative(shard.refilledAtMs()), rest, level)
        .subtract(below(cumulative(fromMs), rest, level))
        .longValueExact();
  }

  /** How many numbers from 0 to below {@code bound} leave {@code rest}. */
  private static BigInteger below(BigInteger bound, BigInteger rest, BigInteger level) {
    return bound.subtract(rest).add(level).subtract(BigInteger.ONE).divide(level);
  }

  private static BigInteger cumulative(long ms) {
    return BigInteger.valueOf(ms)
        .multiply(BigInteger.valueOf(RPS.refill().amountMilli()))
        .divide(BigInteger.valueOf(RPS.refill().periodMs()));
  }
}
