package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.protocol.Sighting;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What the process knows of one bucket, and the channel through which its writes leave. */
final class Bucket {
  private final BucketKey key;
  private final Channel channel;
  private final Deferred deferred = new Deferred();
  private volatile @Nullable Stock stock;
  private final AtomicReference<@Nullable Sighting> sighting = new AtomicReference<>();

  Bucket(BucketKey key, int maxQueued) {
    this.key = key;
    this.channel = new Channel(maxQueued);
  }

  BucketKey key() {
    return key;
  }

  Channel channel() {
    return channel;
  }

  Deferred deferred() {
    return deferred;
  }

  @Nullable Stock stock() {
    return stock;
  }

  void stock(Stock fresh) {
    this.stock = fresh;
  }

  @Nullable Sighting sighting() {
    return sighting.get();
  }

  /** Remembers a sighting unless a later one is there: answers overtake each other. */
  void saw(Sighting seen) {
    sighting.accumulateAndGet(
        seen,
        (known, fresh) -> known == null || fresh == null ? fresh : Sighting.later(known, fresh));
  }
}
