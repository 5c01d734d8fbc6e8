package dev.millrace.client.support;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A store in memory that can fail and that remembers what it was asked, a clock that stands still,
 * and what is stored about entities and limits. The usual entity is {@code key}, the usual resource
 * {@code gpt-4}, the usual limit {@code rpm} with a token every six seconds.
 */
public final class HierarchyBench {
  public static final String NAMESPACE = "default";
  public static final String ENTITY = "key";
  public static final String RESOURCE = "gpt-4";
  public static final Limit RPM = rpm(10);

  public final ManualClock clock = new ManualClock(Bench.START_MS);
  public final InMemoryStore memory = new InMemoryStore();
  public final FaultyStore faults = FaultyStore.over(memory);
  public final RecordingStore calls = RecordingStore.over(faults);
  public final Directory directory = new Directory(memory, NAMESPACE);

  public LimiterOptions.Builder options() {
    // The clock stands still: however much is written in no time, no bucket is hot.
    return LimiterOptions.builder().time(clock).partitionWriteUnits(1_000_000);
  }

  /** A limiter: a process of its own, as far as the store can tell. */
  public Caller caller(Style style) {
    return caller(style, options());
  }

  public Caller caller(Style style, LimiterOptions.Builder options) {
    return style.caller(calls, options.build());
  }

  public static Limit rpm(long perMinute) {
    return Limit.perMinute("rpm", perMinute);
  }

  /** Asks for so many of the limit {@code rpm}. */
  public static AcquireRequest request(long amount) {
    return request(ENTITY, amount);
  }

  public static AcquireRequest request(String entityId, long amount) {
    return AcquireRequest.of(entityId, RESOURCE).consume("rpm", amount);
  }

  public void advance(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  public static BucketKey key(String entityId) {
    return key(entityId, RESOURCE);
  }

  public static BucketKey key(String entityId, String resource) {
    return BucketKey.first(NAMESPACE, entityId, resource);
  }

  public boolean exists(String entityId) {
    return memory.snapshot(key(entityId)) != null;
  }

  public BucketState state(String entityId) {
    return state(key(entityId));
  }

  public BucketState state(BucketKey key) {
    return Objects.requireNonNull(memory.snapshot(key), () -> "no bucket " + key);
  }

  public LimitState limit(BucketKey key, String limit) {
    return Objects.requireNonNull(state(key).find(limit), limit);
  }

  /** What the bucket of the usual resource counted as consumed of {@code rpm}, in whole tokens. */
  public long consumed(String entityId) {
    return consumed(key(entityId), "rpm");
  }

  public long consumed(BucketKey key, String limit) {
    return limit(key, limit).consumedMilli() / Limit.MILLI;
  }

  /** Stored changes of the entity reach its bucket of the usual resource. */
  public void refresh(String entityId) {
    directory.refresh(entityId, RESOURCE, clock.nowMs());
  }

  /** The calls of one sort that {@code action} makes. */
  public List<StoreCall> callsOf(Predicate<? super StoreCall> matches, Runnable action) {
    int before = calls.calls().size();
    action.run();
    List<StoreCall> all = calls.calls();
    return all.subList(before, all.size()).stream().filter(matches).toList();
  }

  public int lookUps(Runnable action) {
    return callsOf(Calls.lookups(), action).size();
  }

  public int writes(Runnable action) {
    return callsOf(Calls.writes(), action).size();
  }

  public int reads(Runnable action) {
    return callsOf(Calls.reads(), action).size();
  }
}
