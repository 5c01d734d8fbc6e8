package dev.millrace.regions.sim;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bucket of one limit in one region, with core's arithmetic, by the region's own clock. */
final class RegionBucket {
  private final GlobalLimit global;
  private int enforcedPpm;
  private @Nullable LimitState state;
  private long refilledAtMs;
  private long consumedMilli;

  RegionBucket(GlobalLimit global, int sharePpm, long nowMs) {
    this.global = global;
    this.enforcedPpm = sharePpm;
    this.refilledAtMs = nowMs;
    this.state = global.part(sharePpm).map(LimitState::full).orElse(null);
  }

  /** What it enforces, whatever a ledger says. */
  int enforcedPpm() {
    return enforcedPpm;
  }

  long consumedMilli() {
    return consumedMilli;
  }

  long balanceMilli(long nowMs) {
    LimitState now = state;
    return now == null ? 0 : now.balanceMilli(ShardShare.WHOLE, refilledAtMs, nowMs);
  }

  boolean consume(long milli, long nowMs) {
    LimitState now = state;
    long balance = balanceMilli(nowMs);
    if (now == null || balance < milli) {
      return false;
    }
    consumedMilli += milli;
    settle(now.limit(), balance - milli, nowMs);
    return true;
  }

  /** Takes on another share: what was earned is settled at the old rate, and clipped. */
  void reparameterise(int sharePpm, long tokensMilli, long nowMs) {
    long balance = balanceMilli(nowMs) + tokensMilli;
    Optional<Limit> next = global.part(sharePpm);
    enforcedPpm = sharePpm;
    if (next.isEmpty()) {
      state = null;
      return;
    }
    settle(next.get(), Math.min(balance, next.get().burstMilli()), nowMs);
  }

  private void settle(Limit limit, long tokensMilli, long nowMs) {
    state = new LimitState(limit, tokensMilli, consumedMilli);
    refilledAtMs = Math.max(refilledAtMs, nowMs);
  }
}
