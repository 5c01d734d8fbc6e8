package dev.millrace.client.internal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The buckets that the process has seen lately, bounded by count and age. Forgetting any of them at
 * any time costs a read, or a second write beside one that is under way, and nothing else.
 */
final class Buckets {
  private static final long NANOS_PER_MS = 1_000_000;

  private final Cache<BucketKey, Bucket> buckets;
  private final int maxQueued;
  private final long maxSkewMs;
  private final Executor background;

  Buckets(LimiterOptions options, Executor background) {
    this.maxQueued = options.maxQueued();
    this.maxSkewMs = options.plan().maxSkewMs();
    this.background = background;
    this.buckets =
        Caffeine.newBuilder()
            .maximumSize(options.maxMirrors())
            .expireAfterWrite(options.mirrorAge()) // by access, every look would have to be noted
            .ticker(() -> options.time().elapsedMs() * NANOS_PER_MS)
            .executor(background)
            .build();
  }

  Bucket get(BucketKey key) {
    Bucket known = buckets.getIfPresent(key); // the way without a lock or an allocation
    return known != null
        ? known
        : buckets.get(key, absent -> new Bucket(absent, maxQueued, maxSkewMs, background));
  }

  /** The bucket if it was seen lately. */
  @Nullable Bucket known(BucketKey key) {
    return buckets.getIfPresent(key);
  }

  /** Forgets all of them, as age would. */
  void forget() {
    buckets.invalidateAll();
  }

  Iterable<Bucket> all() {
    return buckets.asMap().values();
  }
}
