package dev.millrace.client.internal.resolve;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.ConfigCacheStats;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Records of the directory as they were last read, also those that are not there. Bounded by count
 * and age. No lock is held while the store is asked.
 *
 * <p>One that has become old is kept for a while longer: when the store does not answer, limits of
 * five minutes ago are better than none.
 */
public final class RecordCache {
  /** How many times its age a record is kept for the case that the store does not answer. */
  public static final int STALE_FACTOR = 10;

  /** How many times its age a record is used while somebody renews it. */
  public static final int RENEWED_FACTOR = 2;

  private final Cache<RecordKey, Held> records;

  /** What is being looked up at the moment; as many records as fit the looks under way. */
  private final ConcurrentHashMap<RecordKey, Look> asked = new ConcurrentHashMap<>();

  private final long maxAgeMs;
  private final long timeoutMs;
  private final AtomicLong looks = new AtomicLong();
  private final AtomicInteger generation = new AtomicInteger();
  private final LongAdder hits = new LongAdder();
  private final LongAdder negativeHits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Kept however old: it is needed when the store has not answered for long. */
  private volatile @Nullable OnUnavailable policy;

  /**
   * One look at the store, as it begins. Looks are numbered, because a clock does not tell which of
   * two came first.
   *
   * @param number counts from 1
   * @param askedAtMs when it began: what it brings may be as old as that
   * @param consistent whether it brings everything that was written before it began
   * @param generation of the cache: what was asked for before an invalidation is worth nothing
   */
  public record Look(long number, long askedAtMs, boolean consistent, int generation) {}

  /**
   * A record as it was read.
   *
   * @param record null when there is none
   */
  public record Held(@Nullable StoredRecord record, Look look) {
    public long readAtMs() {
      return look.askedAtMs;
    }
  }

  public RecordCache(LimiterOptions options, Executor background) {
    this.maxAgeMs = options.configAge().toMillis();
    this.timeoutMs = options.timeout().toMillis();
    this.records =
        Caffeine.newBuilder()
            .maximumSize(options.maxConfigs())
            .expireAfterWrite(options.configAge().multipliedBy(STALE_FACTOR))
            .ticker(() -> options.time().elapsedMs() * 1_000_000)
            .executor(background)
            .recordStats()
            .build();
  }

  public int generation() {
    return generation.get();
  }

  /** How many looks have begun so far. */
  public long looks() {
    return looks.get();
  }

  /** Notes that records are about to be asked for; {@link #end} must follow. */
  public Look begin(Iterable<RecordKey> keys, boolean consistent, int asOf, long nowMs) {
    Look look = new Look(looks.incrementAndGet(), nowMs, consistent, asOf);
    for (RecordKey key : keys) {
      asked.put(key, look);
    }
    return look;
  }

  public void end(Look look, Iterable<RecordKey> keys) {
    for (RecordKey key : keys) {
      asked.remove(key, look);
    }
  }

  public boolean isOld(Held held, long nowMs) {
    return nowMs - held.readAtMs() >= maxAgeMs;
  }

  /**
   * A record that may be used, or null; {@link Held#record} is null when there is none. It may be
   * old while somebody renews it: then one asks, and the others go on.
   */
  public @Nullable Held find(RecordKey key, long nowMs) {
    Held held = any(key);
    if (held == null || (isOld(held, nowMs) && !isRenewed(key, held, nowMs))) {
      misses.increment();
      return null;
    }
    (held.record == null ? negativeHits : hits).increment();
    return held;
  }

  /** Whether somebody renews it who has not been at it for too long: a thread may have died. */
  private boolean isRenewed(RecordKey key, Held held, long nowMs) {
    Look look = asked.get(key);
    return look != null
        && nowMs - look.askedAtMs < timeoutMs
        && nowMs - held.readAtMs() < RENEWED_FACTOR * maxAgeMs;
  }

  /** A record of whatever age, or null. */
  public @Nullable Held any(RecordKey key) {
    Held held = records.getIfPresent(key);
    return held != null && held.look.generation == generation.get() ? held : null;
  }

  /** Remembers what a look has brought, unless a later one was faster. */
  public void put(Look look, Iterable<RecordKey> asked, Map<RecordKey, StoredRecord> found) {
    for (RecordKey key : asked) {
      records
          .asMap()
          .merge(
              key,
              new Held(found.get(key), look),
              (old, brought) -> old.look.number > look.number ? old : brought);
      if (key instanceof RecordKey.Config config && config.level() == ConfigLevel.SYSTEM) {
        policy = found.get(key) instanceof ConfigRecord system ? system.onUnavailable() : null;
      }
    }
  }

  /** What the namespace was last seen to say about an unavailable store, null for nothing. */
  public @Nullable OnUnavailable policy() {
    return policy;
  }

  /** Forgets everything, also what is being looked up at the moment. */
  public void clear() {
    generation.incrementAndGet();
    records.invalidateAll();
  }

  public ConfigCacheStats stats() {
    records.cleanUp(); // else it counts what is about to go
    return new ConfigCacheStats(
        hits.sum(),
        negativeHits.sum(),
        misses.sum(),
        records.stats().evictionCount(),
        records.estimatedSize());
  }
}
