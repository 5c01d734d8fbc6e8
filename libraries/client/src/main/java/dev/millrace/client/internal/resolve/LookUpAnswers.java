package dev.millrace.client.internal.resolve;

import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records on which one resolution rests: those that it has read itself, those that others have
 * read lately, and old ones where the store did not answer.
 */
public final class LookUpAnswers {
  private final RecordCache cache;
  private final TimeSource time;

  /** Records of others count only if they were surely read after so many looks. */
  private final long after;

  private final Map<RecordKey, RecordCache.Held> read = new HashMap<>();
  private final Map<RecordKey, RecordCache.Held> stale = new HashMap<>();
  private final Set<RecordKey> unanswered = new HashSet<>();

  public LookUpAnswers(RecordCache cache, TimeSource time, long after) {
    this.cache = cache;
    this.time = time;
    this.after = after;
  }

  /** Whether this very resolution has read it. */
  public boolean isRead(RecordKey key) {
    return read.containsKey(key);
  }

  /** Whether this very resolution has asked for it, be it in vain: asking again does not help. */
  public boolean isAsked(RecordKey key) {
    return read.containsKey(key) || unanswered.contains(key);
  }

  /** Whether the store did not tell when this very resolution asked for it. */
  public boolean isUnanswered(RecordKey key) {
    return unanswered.contains(key);
  }

  /** Whether nothing better than an old record is to be had, for the moment. */
  public boolean isStale(RecordKey key) {
    return stale.containsKey(key) && !read.containsKey(key);
  }

  /** A record that is known well enough, or null; then it is added to what is missing. */
  public RecordCache.@Nullable Held find(RecordKey key, Set<RecordKey> missing) {
    RecordCache.Held held = read.get(key);
    if (held == null) {
      held = stale.get(key);
    }
    if (held == null && !missing.contains(key)) {
      held = cached(key);
    }
    if (held == null) {
      missing.add(key);
    }
    return held;
  }

  private RecordCache.@Nullable Held cached(RecordKey key) {
    long nowMs = time.elapsedMs();
    RecordCache.Held held = cache.find(key, nowMs);
    if (held == null || (TableChecks.refuses(key, held.record()) && isOldRefusal(held, nowMs))) {
      return null;
    }
    boolean old = cache.isOld(held, nowMs);
    if (after == CachedConfig.ANY) {
      if (old) {
        stale.put(key, held); // somebody renews it
      }
      return held;
    }
    boolean asNew = held.look().consistent() && held.look().number() > after;
    return asNew || (key instanceof RecordKey.Schema && !old) ? held : null;
  }

  private static boolean isOldRefusal(RecordCache.Held held, long nowMs) {
    return nowMs - held.readAtMs() >= CachedConfig.DISABLED_MS;
  }

  /** Learns from an answer; what went wrong when not even old records are known, else null. */
  public @Nullable StoreFailure learn(
      RecordCache.Look look, StoreCall.Lookup call, StoreReply reply) {
    if (reply instanceof StoreReply.Records found) {
      cache.put(look, call.keys(), found.records());
      for (RecordKey key : call.keys()) {
        read.put(key, new RecordCache.Held(found.records().get(key), look));
      }
      return null;
    }
    StoreFailure failure = Mirror.failureOf(reply);
    for (RecordKey key : call.keys()) {
      RecordCache.Held old = after == CachedConfig.ANY ? cache.any(key) : null;
      if (old == null) {
        return failure;
      }
      stale.put(key, old);
      unanswered.add(key);
    }
    return null;
  }
}
