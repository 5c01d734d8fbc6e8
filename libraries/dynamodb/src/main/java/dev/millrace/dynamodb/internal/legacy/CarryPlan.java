package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.internal.expression.TransactionRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * The plan for the old items of a bucket: one transaction, or nothing. It is made only if the old
 * items still are as they were read, and today's bucket is still there or still not: the second of
 * two processes, limiter or migration, finds that it was done.
 *
 * @param kind what it does
 * @param parts the writes, at most a hundred; none for {@link Kind#NOTHING}
 * @param made the bucket that it makes, null when it makes none
 */
public record CarryPlan(Kind kind, List<TransactWriteItem> parts, @Nullable BucketState made) {
  public enum Kind {
    /** There is nothing to do. */
    NOTHING,
    /** Makes today's bucket of the old one. */
    MOVE,
    /** Brings the old one into a bucket that was made without it. */
    MERGE,
    /** Charges what old clients consumed after the bucket was carried over. */
    FOLD,
    /** Takes the old items away, charging the same. */
    DELETE
  }

  private static final CarryPlan NOTHING = new CarryPlan(Kind.NOTHING, List.of(), null);

  /**
   * Ids come from the kernel: the generators of threads are a part of a snapshot, and processes
   * that are restored from it would draw the same.
   */
  private static final SecureRandom RANDOM = new SecureRandom();

  public CarryPlan {
    parts = List.copyOf(parts);
  }

  /**
   * The next thing to do.
   *
   * @param today the bucket as it is today, its first shard; null when there is none
   * @param nowMs the store's time
   * @param cleanUp whether what was carried over is to be taken away
   */
  public static CarryPlan of(
      String table, OldItems items, @Nullable BucketState today, long nowMs, boolean cleanUp) {
    if (items.isEmpty()) {
      return NOTHING;
    }
    // The id marks a write that brings counters along, which must not be counted as usage.
    String op = BucketAttributes.CARRIED + Long.toHexString(RANDOM.nextLong());
    List<TransactWriteItem> parts = new ArrayList<>();
    if (items.isMoved()) {
      Map<String, Long> late = items.lateMilli();
      if (!cleanUp && late.isEmpty() && !Fences.isBreached(items)) {
        return NOTHING;
      }
      BucketState made = charge(table, parts, items, today, late, late, nowMs, op);
      parts.addAll(cleanUp ? Fences.delete(table, items) : Fences.renew(table, items, late, op));
      return new CarryPlan(cleanUp ? Kind.DELETE : Kind.FOLD, parts, made);
    }
    if (items.isFragment()) {
      Map<String, Long> late = items.counters();
      BucketState made = charge(table, parts, items, today, late, late, nowMs, op);
      parts.addAll(Fences.delete(table, items));
      return new CarryPlan(Kind.FOLD, parts, made);
    }
    OldBucket old = OldBucket.decode(items);
    BucketState carried = old.state(nowMs, op);
    if (today == null) {
      parts.add(TransactionRequests.part(table, new WritePlan.Create(carried)));
      parts.addAll(Fences.raise(table, items, old, carried, /* merged= */ false));
      return new CarryPlan(Kind.MOVE, parts, carried);
    }
    Map<String, Long> consumed = new TreeMap<>();
    carried.limits().forEach(limit -> consumed.put(limit.name(), limit.consumedMilli()));
    BucketState unused =
        charge(table, parts, items, today, old.lackingMilli(nowMs), consumed, nowMs, op);
    parts.addAll(Fences.raise(table, items, old, carried, /* merged= */ true));
    return new CarryPlan(Kind.MERGE, parts, null);
  }

  /**
   * Charges today's bucket, below zero if need be. One that has expired meanwhile is made again
   * less the charge, as for a lease that settles late. A limit that the bucket has no more is
   * passed over.
   *
   * @param tokensMilli subtracted from the balances
   * @param consumedMilli added to the counters
   */
  private static @Nullable BucketState charge(
      String table,
      List<TransactWriteItem> parts,
      OldItems items,
      @Nullable BucketState today,
      Map<String, Long> tokensMilli,
      Map<String, Long> consumedMilli,
      long nowMs,
      String op) {
    if (today == null) {
      return items.isFragment() || tokensMilli.values().stream().noneMatch(milli -> milli > 0)
          ? null
          : recreate(table, parts, items, tokensMilli, nowMs, op);
    }
    List<LimitChange> changes = new ArrayList<>();
    List<LimitState> after = new ArrayList<>();
    for (LimitState limit : today.limits()) {
      long tokens = tokensMilli.getOrDefault(limit.name(), 0L);
      long consumed = consumedMilli.getOrDefault(limit.name(), 0L);
      if (tokens != 0 || consumed != 0) {
        changes.add(LimitChange.unconditional(limit.name(), -tokens, consumed));
      }
      after.add(
          new LimitState(
              limit.limit(),
              SaturatedMath.subtract(limit.tokensMilli(), tokens),
              limit.consumedMilli()));
    }
    if (!changes.isEmpty()) {
      long expiresAtSeconds =
          today.expiresAtSeconds() == BucketState.NEVER
              ? BucketState.NEVER
              : Math.max(today.expiresAtSeconds(), BucketExpiry.expiresAtSeconds(nowMs, after));
      parts.add(
          TransactionRequests.part(
              table, new WritePlan.Adjust(today.key(), changes, expiresAtSeconds, op)));
    }
    return null;
  }

  private static BucketState recreate(
      String table,
      List<TransactWriteItem> parts,
      OldItems items,
      Map<String, Long> lateMilli,
      long nowMs,
      String op) {
    List<LimitState> limits = new ArrayList<>();
    for (LimitState limit : BucketCodec.limits(items.key(), items.requireComposite())) {
      long milli = lateMilli.getOrDefault(limit.name(), 0L);
      limits.add(
          new LimitState(
              limit.limit(),
              SaturatedMath.subtract(limit.limit().burstMilli(), Math.max(0, milli)),
              milli));
    }
    BucketState state =
        new BucketState(
            items.key(), nowMs, limits, BucketExpiry.expiresAtSeconds(nowMs, limits), op);
    parts.add(TransactionRequests.part(table, new WritePlan.Create(state)));
    return state;
  }

  /** The transaction. It needs no token: made twice, the second time is refused. */
  public TransactWriteItemsRequest.Builder request() {
    return TransactWriteItemsRequest.builder()
        .transactItems(parts)
        .returnConsumedCapacity(ReturnConsumedCapacity.INDEXES);
  }

  public int leastWriteUnits() {
    return TransactionRequests.leastWriteUnits(parts);
  }
}
