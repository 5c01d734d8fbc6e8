package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Directory;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.testkit.internal.model.ModelStore;
import dev.millrace.testkit.internal.model.PartitionLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Transactions that are in each other's way, and in that of single writes, on a store that refuses
 * them as DynamoDB does.
 */
class ConflictsTest {
  private static final int CALLERS = 4;
  private static final int REQUESTS = 15;

  /** Half of the callers write each bucket by itself, half all in one transaction. */
  @Test
  void acquire_transactionsAndWritesMeet_theBooksBalance() {
    AtomicLong granted = new AtomicLong();
    AtomicLong uncertain = new AtomicLong();
    try (ModelStore store = ModelStore.withConflicts(Duration.ofMillis(1), PartitionLimits.NONE)) {
      Directory directory = new Directory(store.contents(), HierarchyBench.NAMESPACE);
      directory.add("org", null);
      directory.system(Limit.perDay("rpm", 1_000_000));
      for (int i = 0; i < CALLERS; i++) {
        directory.add("key-" + i, "org");
      }
      LimiterOptions options =
          LimiterOptions.builder().timeout(Duration.ofSeconds(20)).correctClock(false).build();
      try (RateLimiter one = RateLimiter.create(store, options);
          RateLimiter two = RateLimiter.create(store, options)) {
        List<Background<Boolean>> begun = new ArrayList<>();
        for (RateLimiter limiter : List.of(one, two)) {
          for (int i = 0; i < CALLERS; i++) {
            AcquireRequest request =
                AcquireRequest.of("key-" + i, RESOURCE)
                    .consume("rpm", 2)
                    .consistency(i % 2 == 0 ? Consistency.TRANSACTIONAL : Consistency.PARALLEL);
            begun.add(Background.start(() -> call(limiter, request, granted, uncertain)));
          }
        }
        begun.forEach(caller -> Await.result(caller.result()));
      }
      long org = consumed(store, "org");
      long keys = 0;
      for (int i = 0; i < CALLERS; i++) {
        keys += consumed(store, "key-" + i);
      }
      assertThat(granted.get()).isPositive();
      assertThat(keys).isBetween(granted.get(), granted.get() + uncertain.get());
      assertThat(org).isBetween(granted.get(), granted.get() + uncertain.get());
    }
  }

  private static boolean call(
      RateLimiter limiter, AcquireRequest request, AtomicLong granted, AtomicLong uncertain) {
    for (int i = 0; i < REQUESTS; i++) {
      try {
        Lease lease = limiter.acquire(request);
        lease.release("rpm", 1);
        granted.addAndGet(2);
        lease.close();
        granted.addAndGet(-1);
      } catch (LimiterUnavailableException e) {
        // met others too often: what could not be given back stays
        uncertain.addAndGet(2);
      }
    }
    return true;
  }

  private static long consumed(ModelStore store, String entityId) {
    BucketKey key = BucketKey.first(HierarchyBench.NAMESPACE, entityId, RESOURCE);
    LimitState limit =
        Objects.requireNonNull(
            Objects.requireNonNull(store.contents().snapshot(key), entityId).find("rpm"));
    return limit.consumedMilli() / Limit.MILLI;
  }
}
