package dev.millrace.client.internal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.protocol.Sighting;
import org.jspecify.annotations.Nullable;

/**
 * What the process last saw of each bucket, bounded by count and age. Forgetting any of it at any
 * time costs a read and nothing else.
 */
final class Mirror {
  private final Cache<BucketKey, Sighting> sightings;

  Mirror(LimiterOptions options) {
    this.sightings =
        Caffeine.newBuilder()
            .maximumSize(options.maxMirrors())
            .expireAfterAccess(options.mirrorAge())
            .build();
  }

  @Nullable Sighting find(BucketKey key) {
    return sightings.getIfPresent(key);
  }

  /** Remembers a sighting unless a later one is there: answers overtake each other. */
  void saw(Sighting sighting) {
    sightings.asMap().merge(sighting.state().key(), sighting, Sighting::later);
  }
}
