package dev.millrace.client.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.Sharding;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A store in memory, a clock that stands still, and one bucket that can be divided. */
final class ShardBench {
  static final long START_MS = 1_700_000_000_000L;
  static final Limit RPD = Limit.perDay("rpd", 1_000);
  static final BucketKey KEY = BucketKey.first("default", "hot", "gpt-4");

  /** So few that a test can spend them. */
  static final int WRITE_UNITS = 20;

  static final Sharding SHARDING =
      new Sharding(16, Duration.ofSeconds(1), Duration.ofSeconds(60), 64, 1_000);

  final ManualClock clock = new ManualClock(START_MS);
  final InMemoryStore memory = new InMemoryStore();
  final FaultyStore faults = FaultyStore.over(memory);
  final RecordingStore calls = RecordingStore.over(faults);

  LimiterOptions.Builder options() {
    return LimiterOptions.builder().time(clock).partitionWriteUnits(WRITE_UNITS).sharding(SHARDING);
  }

  Caller caller(Style style) {
    return caller(style, options());
  }

  Caller caller(Style style, LimiterOptions.Builder options) {
    return style.caller(calls, options.build());
  }

  static AcquireRequest rpd(long amount) {
    return AcquireRequest.of(KEY.entityId(), KEY.resource()).limits(RPD).consume("rpd", amount);
  }

  void advance(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  /** Says how many shards there should be, as an operator does. */
  void resize(int count) {
    resize(KEY, count);
  }

  void resize(BucketKey key, int count) {
    int before = Objects.requireNonNull(memory.snapshot(key)).shardCount();
    WritePlan plan = new WritePlan.Resize(key, before, count, 0, "resize-" + count);
    assertThat(memory.execute(new StoreCall.Write(plan), 1)).isInstanceOf(StoreReply.Applied.class);
  }

  /** Draws until every shard is as far split or merged as it should be; for tiny amounts. */
  void settle(Caller caller, int count) {
    for (int i = 0; i < 2_000; i++) {
      if (shards().stream().allMatch(shard -> shard.division().level() == count)) {
        return;
      }
      advance(60); // what failed is not tried again at once
      caller.acquire(rpd(1)).cancel();
    }
    throw new AssertionError("never became " + count + " shards: " + shards());
  }

  List<BucketState> shards() {
    return shards(KEY);
  }

  List<BucketState> shards(BucketKey key) {
    List<BucketState> shards = new ArrayList<>();
    for (int shard = 0; shard < Sharding.MAX_SHARDS; shard++) {
      BucketState state = shard(key, shard);
      if (state != null) {
        shards.add(state);
      }
    }
    return shards;
  }

  @Nullable BucketState shard(BucketKey key, int shard) {
    return memory.snapshot(key.withShard(shard));
  }

  /** What all shards together hold, as it is stored. */
  long tokensMilli() {
    return shards().stream().map(ShardBench::rpd).mapToLong(LimitState::tokensMilli).sum();
  }

  /** What all shards together have counted. */
  long consumedMilli() {
    return shards().stream().map(ShardBench::rpd).mapToLong(LimitState::consumedMilli).sum();
  }

  static LimitState rpd(BucketState state) {
    return Objects.requireNonNull(state.find("rpd"));
  }

  /** Every millitoken of the limit belongs to exactly one shard. */
  void requireWhole() {
    requireWhole(KEY);
  }

  void requireWhole(BucketKey key) {
    long burstMilli = 0;
    double parts = 0;
    for (BucketState shard : shards(key)) {
      burstMilli += shard.share().partOf(RPD.burstMilli());
      parts += 1.0 / shard.division().level();
    }
    assertThat(burstMilli).isEqualTo(RPD.burstMilli());
    assertThat(parts).isEqualTo(1);
  }
}
