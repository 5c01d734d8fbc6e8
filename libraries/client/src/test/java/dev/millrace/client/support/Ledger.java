package dev.millrace.client.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.math.BigInteger;
import java.util.Objects;

/**
 * The books of one bucket between two moments, kept independently of the code under test: balance
 * before + credit of the time between = balance after + what was consumed.
 */
public final class Ledger {
  private static final long TIMEOUT_MS = 10_000;

  /** Into more a bucket is not divided by itself. */
  private static final int MAX_SHARDS = 64;

  private final BlockingStore store;
  private final BucketState opening;

  private Ledger(BlockingStore store, BucketState opening) {
    this.store = store;
    this.opening = opening;
  }

  public static Ledger open(BlockingStore store, BucketKey key) {
    return new Ledger(store, read(store, key));
  }

  public static BucketState read(BlockingStore store, BucketKey key) {
    StoreReply reply = store.execute(new StoreCall.Read(key), TIMEOUT_MS);
    return Objects.requireNonNull(((StoreReply.Found) reply).state(), "no bucket " + key);
  }

  /** What could be consumed since the opening: what was there and what was earned. */
  public long dueMilli(String limit) {
    BucketState closing = read(store, opening.key());
    LimitState before = Objects.requireNonNull(opening.find(limit));
    return before.tokensMilli() + earnedMilli(before, closing.refilledAtMs());
  }

  private long earnedMilli(LimitState state, long untilMs) {
    return cumulative(state, untilMs)
        .subtract(cumulative(state, opening.refilledAtMs()))
        .longValueExact();
  }

  /** What was consumed since the opening, by the bucket's own count. */
  public long consumedMilli(String limit) {
    BucketState closing = read(store, opening.key());
    return Objects.requireNonNull(closing.find(limit)).consumedMilli()
        - Objects.requireNonNull(opening.find(limit)).consumedMilli();
  }

  /**
   * What was consumed since the opening of a bucket that was one shard then, by the count of all
   * that it may have been divided into since.
   */
  public long consumedMilliOfAllShards(String limit) {
    long consumedMilli = consumedMilli(limit);
    for (int shard = 1; shard < MAX_SHARDS; shard++) {
      StoreReply reply =
          store.execute(new StoreCall.Read(opening.key().withShard(shard)), TIMEOUT_MS);
      BucketState state = ((StoreReply.Found) reply).state();
      if (state != null) {
        consumedMilli += Objects.requireNonNull(state.find(limit)).consumedMilli();
      }
    }
    return consumedMilli;
  }

  /**
   * To the millitoken: what was admitted is what the bucket counted, and its balance is what it was
   * plus what was earned less what was admitted. Only for a limit that was never full in between:
   * what a full one earns is clipped.
   */
  public void requireBalanced(String limit, long admittedMilli) {
    BucketState closing = read(store, opening.key());
    LimitState before = Objects.requireNonNull(opening.find(limit));
    LimitState after = Objects.requireNonNull(closing.find(limit));
    assertThat(after.consumedMilli() - before.consumedMilli())
        .as("counted by the bucket for %s", limit)
        .isEqualTo(admittedMilli);
    long earnedMilli = earnedMilli(after, closing.refilledAtMs());
    assertThat(after.tokensMilli())
        .as("balance of %s", limit)
        .isEqualTo(before.tokensMilli() + earnedMilli - admittedMilli);
  }

  private static BigInteger cumulative(LimitState state, long ms) {
    return BigInteger.valueOf(ms)
        .multiply(BigInteger.valueOf(state.limit().refill().amountMilli()))
        .divide(BigInteger.valueOf(state.limit().refill().periodMs()));
  }
}
