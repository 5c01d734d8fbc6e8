package dev.millrace.benchmarks.load;

import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.plan.LimitChange;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import dev.millrace.dynamodb.item.BucketCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The stream of a store that has none: the single writes that were made through it, each as the
 * table's stream would tell it, and as late. Transactions are left out.
 */
public final class StreamTap {
  /** How long after a write its record is read: streams are seldom faster than a quarter second. */
  public static final long LAG_MS = 250;

  /** Most records that wait to be read; what is more is lost. */
  static final int MAX_WAITING = 100_000;

  private final BlockingQueue<Told> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private long number;

  private record Told(StreamRecord record, long dueNanos) {}

  /** The same store, tapped; an {@link AsyncStore} too when {@code store} is one. */
  public BlockingStore on(BlockingStore store) {
    return ObservedStore.of(store, this::tell);
  }

  /**
   * The records that are due by now, at most {@code max}, empty when there is none.
   *
   * @param waitMs how long to wait for one that is written
   */
  List<StreamRecord> poll(int max, long waitMs) throws InterruptedException {
    List<StreamRecord> due = new ArrayList<>();
    Told next = waiting.poll(waitMs, TimeUnit.MILLISECONDS);
    while (next != null) {
      TimeUnit.NANOSECONDS.sleep(next.dueNanos() - System.nanoTime());
      due.add(next.record());
      Told following = waiting.peek();
      boolean more =
          following != null && due.size() < max && following.dueNanos() <= System.nanoTime();
      next = more ? waiting.poll() : null;
    }
    return due;
  }

  private synchronized void tell(StoreCall call, StoreReply reply) {
    if (call instanceof StoreCall.Write write && reply instanceof StoreReply.Applied applied) {
      number++;
      StreamRecord record = record(number, write.plan(), applied.state());
      long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAG_MS);
      boolean unused = waiting.offer(new Told(record, dueNanos)); // whoever writes again tells more
    }
  }

  private static StreamRecord record(long number, WritePlan plan, BucketState after) {
    boolean inserted = plan instanceof WritePlan.Create;
    Map<String, AttributeValue> before =
        inserted ? Map.of() : BucketCodec.encode(before(plan, after));
    return new StreamRecord(
        Long.toString(number),
        System.currentTimeMillis(),
        inserted ? StreamRecord.Kind.INSERT : StreamRecord.Kind.MODIFY,
        /* byTimeToLive= */ false,
        BucketCodec.key(after.key()),
        before,
        BucketCodec.encode(after));
  }

  /** As far as consumption tells: only its counters are those from before the write. */
  private static BucketState before(WritePlan plan, BucketState after) {
    Map<String, Long> consumed = new HashMap<>();
    for (LimitChange change : changes(plan)) {
      consumed.put(change.name(), change.addConsumedMilli());
    }
    List<LimitState> limits = new ArrayList<>(after.limits().size());
    for (LimitState limit : after.limits()) {
      @Nullable Long milli = consumed.get(limit.name());
      limits.add(
          new LimitState(
              limit.limit(),
              limit.tokensMilli(),
              limit.consumedMilli() - (milli == null ? 0 : milli)));
    }
    return new BucketState(
        after.key(),
        after.refilledAtMs(),
        limits,
        after.division(),
        after.wcuMilli(),
        after.expiresAtSeconds(),
        after.op(),
        after.standing());
  }

  private static List<LimitChange> changes(WritePlan plan) {
    if (plan instanceof WritePlan.Locked locked) {
      return locked.changes();
    }
    if (plan instanceof WritePlan.Consume consume) {
      return consume.changes();
    }
    return plan instanceof WritePlan.Adjust adjust ? adjust.changes() : List.of();
  }
}
