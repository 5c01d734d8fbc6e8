package dev.millrace.aggregator.sim;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.Images;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Buckets in memory whose every change goes into a stream. For one thread. */
final class TappedStore implements BlockingStore {
  private static final long SECOND_MS = 1_000;

  final InMemoryStore memory = new InMemoryStore();
  final StreamLog log;
  private final LongSupplier clockMs;
  private final Map<BucketKey, BucketState> seen = new LinkedHashMap<>();

  /** What was told last of each. */
  private final Map<BucketKey, Map<String, AttributeValue>> images = new HashMap<>();

  /** Counters that went with their limit or their bucket; they had been consumed all the same. */
  private final Map<String, Long> gone = new HashMap<>();

  int splits;
  int merges;

  TappedStore(StreamLog log, LongSupplier clockMs) {
    this.log = log;
    this.clockMs = clockMs;
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    StoreReply reply = memory.execute(call, timeoutMs);
    if (call instanceof StoreCall.Write write) {
      changed(List.of(write.plan()));
    } else if (call instanceof StoreCall.Transaction transaction) {
      changed(transaction.plans());
    }
    return reply;
  }

  /** Forgets a bucket as an expiry does. */
  void expire(BucketKey key) {
    if (memory.remove(key)) {
      BucketState before = Objects.requireNonNull(seen.get(key));
      leave(before, null);
      tell(before, null);
    }
  }

  @Nullable BucketState bucket(BucketKey key) {
    return seen.get(key);
  }

  /** Everything that was consumed, in millitokens, by entity, resource and limit. */
  Map<String, Long> consumed() {
    Map<String, Long> consumed = new TreeMap<>(gone);
    for (BucketState state : seen.values()) {
      for (LimitState limit : state.limits()) {
        consumed.merge(name(state.key(), limit.name()), limit.consumedMilli(), Long::sum);
      }
    }
    consumed.values().removeIf(milli -> milli == 0);
    return consumed;
  }

  static String name(BucketKey key, String limit) {
    return key.entityId() + " " + key.resource() + " " + limit;
  }

  private void changed(List<WritePlan> plans) {
    for (WritePlan plan : plans) {
      BucketState before = seen.get(plan.key());
      BucketState after = memory.snapshot(plan.key());
      if (Objects.equals(before, after)) {
        continue;
      }
      leave(before, after);
      if (before != null && after != null) {
        int levels = Integer.compare(after.division().level(), before.division().level());
        splits += levels > 0 ? 1 : 0;
        merges += levels < 0 ? 1 : 0;
      }
      tell(before, after);
    }
  }

  /**
   * What a bucket loses is gone, and what it takes over in a merge was not consumed again: of the
   * shard that goes, exactly what its other half did not take over stays in {@link #gone}.
   */
  private void leave(@Nullable BucketState before, @Nullable BucketState after) {
    if (before == null) {
      return;
    }
    boolean merge = after != null && after.division().level() < before.division().level();
    for (LimitState limit : before.limits()) {
      LimitState now = after == null ? null : after.find(limit.name());
      if (now == null) {
        gone.merge(name(before.key(), limit.name()), limit.consumedMilli(), Long::sum);
      }
    }
    if (merge) {
      for (LimitState now : after.limits()) {
        LimitState limit = before.find(now.name());
        long takenMilli = now.consumedMilli() - (limit == null ? 0 : limit.consumedMilli());
        gone.merge(name(before.key(), now.name()), -takenMilli, Long::sum);
      }
    }
  }

  private void tell(@Nullable BucketState before, @Nullable BucketState after) {
    BucketKey key = after == null ? Objects.requireNonNull(before).key() : after.key();
    if (after == null) {
      seen.remove(key);
    } else {
      seen.put(key, after);
    }
    long atMs = Math.floorDiv(clockMs.getAsLong(), SECOND_MS) * SECOND_MS; // as streams tell it
    Map<String, AttributeValue> old = images.getOrDefault(key, Map.of());
    Map<String, AttributeValue> image = Images.image(after);
    // Most of an item stays as it was: kept once, a hundred thousand images fit into memory.
    image.replaceAll((name, value) -> kept(old.get(name), value));
    if (after == null) {
      images.remove(key);
    } else {
      images.put(key, image);
    }
    log.add(key, Images.record(log.nextNumber(), atMs, key, old, image));
  }

  private static AttributeValue kept(@Nullable AttributeValue old, AttributeValue value) {
    return value.equals(old) ? old : value;
  }
}
