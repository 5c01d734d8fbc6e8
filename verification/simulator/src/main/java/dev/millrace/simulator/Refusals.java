package dev.millrace.simulator;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.Settlement;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.simulator.oracle.ExactBucket;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.Violation;
import java.util.List;
import java.util.Map;

/** Checks that a refusal was right, and its time to wait. */
final class Refusals {
  private static final long NANOS_PER_MS = 1_000_000;

  /** What was heard is believed for a second; a refusal may be wrong as long, and a little more. */
  private static final long MIRROR_NANOS = 1_500 * NANOS_PER_MS;

  /** Rounding of clocks, and timers that are a little late. */
  private static final long GRACE_MS = 3;

  private final SimulatedWorld setting;
  private final Loop loop;
  private final Table table;
  private final Changes changes;
  private final Retries retries;

  /** Asks again what was refused, at the exact time. */
  interface Retries {
    void retry(CallerRequest call, long exactMs);
  }

  Refusals(SimulatedWorld setting, Loop loop, Table table, Changes changes, Retries retries) {
    this.setting = setting;
    this.loop = loop;
    this.table = table;
    this.changes = changes;
    this.retries = retries;
  }

  /** A request was refused. */
  void require(CallerRequest call, Rejection rejection) {
    if (call.expected() == ExpectedAnswer.GRANTED && !isLeftElsewhere(call, rejection)) {
      throw new Violation(
          Promise.RETRY_AFTER, "refused at the time it was told: " + call.ask() + ": " + rejection);
    }
    requireSoon(call, rejection);
    requireNeverIsTrue(call, rejection);
    requirePatient(call, rejection);
    if (call.ask().maxWaitMs() == 0 && call.life().spec().settlement() != Settlement.DEFERRED) {
      requireJustified(call, rejection);
    }
    if (setting.solo() && call.ask().maxWaitMs() == 0 && call.wasAlone()) {
      requireExact(call, rejection);
    }
  }

  /** Nobody is told that waiting is in vain who wants no more than there can ever be. */
  private void requireNeverIsTrue(CallerRequest call, Rejection rejection) {
    if (rejection.retryAfterMs() != LimitStatus.NEVER || changes.isUnsettled(loop.nowNanos())) {
      return;
    }
    for (SimulatedTree.Part part : call.parts()) {
      LimitSet stored = table.limits(part.key());
      LimitSet limits = stored == null ? call.ask().limits() : stored;
      if (!part.sure() || limits == null) {
        return;
      }
      for (Limit limit : limits) {
        if (part.milli().getOrDefault(limit.name(), 0L) > limit.burstMilli()) {
          return;
        }
      }
    }
    throw new Violation(
        Promise.RETRY_AFTER, "told never to come again: " + call.ask() + ": " + rejection);
  }

  /** Who waits is not sent away while waiting on would have helped. */
  private void requirePatient(CallerRequest call, Rejection rejection) {
    long waitedMs = call.waitedMs();
    long maxWaitMs = call.ask().maxWaitMs();
    if (maxWaitMs > 0
        && rejection.retryAfterMs() != LimitStatus.NEVER
        && waitedMs + rejection.retryAfterMs() + GRACE_MS < maxWaitMs) {
      throw new Violation(
          Promise.NOBODY_WAITS_FOR_EVER,
          "refused after "
              + waitedMs
              + " ms, to be granted "
              + rejection.retryAfterMs()
              + " ms later, by a caller that waits "
              + maxWaitMs
              + " ms");
    }
  }

  /**
   * Nobody waits longer than an empty bucket takes to fill, and for a timestamp that is ahead as
   * far as is believed.
   */
  private void requireSoon(CallerRequest call, Rejection rejection) {
    if (isDivided(call)) {
      return; // a shard that is in debt pays it with its own share alone
    }
    for (LimitStatus status : rejection.statuses()) {
      long fillMs = ExactBucket.fillMs(status.limit(), status.availableMilli());
      long longestMs = fillMs + PlanSettings.DEFAULT.maxSkewMs() + GRACE_MS;
      if (status.retryAfterMs() != LimitStatus.NEVER && status.retryAfterMs() > longestMs) {
        throw new Violation(
            Promise.RETRY_AFTER,
            "told to retry after more than " + longestMs + " ms: " + status + " for " + call.ask());
      }
    }
  }

  /**
   * Whether a bucket is divided, and the request was told to come again at once: what one shard
   * will have within the grain is not gathered from several.
   */
  private boolean isLeftElsewhere(CallerRequest call, Rejection rejection) {
    return rejection.retryAfterMs() <= PlanSettings.DEFAULT.grainMs() && isDivided(call);
  }

  private boolean isDivided(CallerRequest call) {
    for (SimulatedTree.Part part : call.parts()) {
      if (table.reshapedNanos(part.key()) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Nobody is refused when all the tokens were there as it asked, and had been for longer than an
   * answer may be under way and then is believed. What comes while others are given back is no lie.
   */
  private void requireJustified(CallerRequest call, Rejection rejection) {
    if (isLeftElsewhere(call, rejection)) {
      return;
    }
    long nowNanos = loop.nowNanos();
    long tookNanos = nowNanos - call.askedNanos();
    long askedMs = call.life().effectiveMs() - tookNanos / NANOS_PER_MS;
    long believedNanos = MIRROR_NANOS + call.life().spec().timeoutMs() * NANOS_PER_MS;
    for (SimulatedTree.Part part : call.parts()) {
      List<BucketState> shards = table.shards(part.key());
      Long written = table.writtenNanos(part.key());
      boolean mayBeShort =
          shards.isEmpty()
              || written == null
              || (isOrShallBeDivided(shards) && !call.life().spec().isWideFree())
              || !part.sure()
              || call.life().leastAgeNanos(written) < believedNanos + tookNanos
              || !call.isClean(part.key())
              || changes.isUnsettled(nowNanos);
      if (mayBeShort || !hasAll(shards, part, askedMs)) {
        return;
      }
    }
    throw new Violation(
        Promise.RETRY_AFTER, "refused although everything was there: " + call.ask());
  }

  private static boolean hasAll(List<BucketState> shards, SimulatedTree.Part part, long nowMs) {
    for (Map.Entry<String, Long> want : part.milli().entrySet()) {
      // A moment ago: a clock that is set while somebody asks is no lie.
      if (ExactBucket.waitMs(shards, want.getKey(), want.getValue(), nowMs - 1) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * With nobody else, retry-after is exact to the millisecond; unless the process itself has lately
   * written from two sides at once, as a settlement and a transaction do. Of shards of which one is
   * in debt, another may hold enough although all together do not.
   */
  private void requireExact(CallerRequest call, Rejection rejection) {
    long nowMs = call.life().effectiveMs();
    long exactMs = 0;
    for (SimulatedTree.Part part : call.parts()) {
      List<BucketState> shards = table.shards(part.key());
      if (shards.isEmpty()
          || (isOrShallBeDivided(shards) && !call.life().spec().isWideFree())
          || call.life().writing().wasTwofold(part.key(), loop.nowNanos() - MIRROR_NANOS)) {
        return;
      }
      for (Map.Entry<String, Long> want : part.milli().entrySet()) {
        if (shards.size() > 1 && isInDebtOrGone(shards, want.getKey())) {
          return;
        }
        long waitMs = ExactBucket.waitMs(shards, want.getKey(), want.getValue(), nowMs);
        exactMs = waitMs < 0 ? LimitStatus.NEVER : Math.max(exactMs, waitMs);
      }
    }
    boolean soon = exactMs <= PlanSettings.DEFAULT.grainMs() && isLeftElsewhere(call, rejection);
    if (soon
        ? rejection.retryAfterMs() < exactMs
        : rejection.retryAfterMs() != Math.max(1, exactMs)) {
      throw new Violation(
          Promise.RETRY_AFTER,
          "told to retry after "
              + rejection.retryAfterMs()
              + " ms, exact are "
              + exactMs
              + " ms: "
              + rejection);
    }
    if (exactMs != LimitStatus.NEVER && exactMs > 0 && !soon) {
      retries.retry(call, exactMs);
    }
  }

  private static boolean isOrShallBeDivided(List<BucketState> shards) {
    return shards.size() > 1 || shards.get(0).shardCount() > 1;
  }

  /** Whether a shard owes of a limit, or none has it any more. */
  private static boolean isInDebtOrGone(List<BucketState> shards, String limit) {
    boolean found = false;
    for (BucketState shard : shards) {
      LimitState state = shard.find(limit);
      found |= state != null;
      if (state != null && state.tokensMilli() < 0) {
        return true;
      }
    }
    return !found;
  }
}
