package dev.millrace.benchmarks.regions;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;

/** A bucket of one limit in simulated time, with core's arithmetic. */
final class SimBucket {
  private LimitState state;
  private long refilledAtMs;

  SimBucket(Limit limit, long nowMs) {
    this.state = LimitState.full(limit);
    this.refilledAtMs = nowMs;
  }

  long balanceMilli(long nowMs) {
    return state.balanceMilli(ShardShare.WHOLE, refilledAtMs, nowMs);
  }

  long consumedMilli() {
    return state.consumedMilli();
  }

  boolean consume(long milli, long nowMs) {
    long balance = balanceMilli(nowMs);
    if (balance < milli) {
      return false;
    }
    settle(state.limit(), balance - milli, milli, nowMs);
    return true;
  }

  /** Takes off what others consumed, below zero if need be. */
  void debit(long milli, long nowMs) {
    settle(state.limit(), balanceMilli(nowMs) - milli, 0, nowMs);
  }

  /** Takes on other parameters: settled at the old rate, then changed and clipped. */
  void reparameterise(Limit limit, long tokensMilli, long nowMs) {
    long balance = Math.min(balanceMilli(nowMs) + tokensMilli, limit.burstMilli());
    settle(limit, balance, 0, nowMs);
  }

  private void settle(Limit limit, long tokensMilli, long consumedMilli, long nowMs) {
    state = new LimitState(limit, tokensMilli, state.consumedMilli() + consumedMilli);
    refilledAtMs = Math.max(refilledAtMs, nowMs);
  }
}
