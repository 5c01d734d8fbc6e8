package dev.millrace.benchmarks.jmh;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Answers at once, and every write of a bucket as it answered the first: what is measured is the
 * limiter, and every request meets the same bucket. For one thread.
 */
final class StillStore implements AsyncStore {
  private final InMemoryStore contents = new InMemoryStore();
  private final Map<BucketKey, CompletionStage<StoreReply>> written = new HashMap<>();

  /** What is stored. */
  InMemoryStore contents() {
    return contents;
  }

  /** How many buckets were written. */
  int buckets() {
    return written.size();
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    return call instanceof StoreCall.Write write
        ? written.computeIfAbsent(write.key(), key -> contents.executeAsync(call, timeoutMs))
        : contents.executeAsync(call, timeoutMs);
  }
}
