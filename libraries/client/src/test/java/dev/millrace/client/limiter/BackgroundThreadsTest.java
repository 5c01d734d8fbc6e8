package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Settlement;
import dev.millrace.Threads;
import dev.millrace.client.support.Await;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Work for which no caller waits has threads of its own, and not too many. */
class BackgroundThreadsTest {
  private static final int BUCKETS = 200;

  private final InMemoryStore memory = new InMemoryStore();
  private final Set<String> writers = ConcurrentHashMap.newKeySet();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();
  private final CompletableFuture<Void> gate = new CompletableFuture<>();
  private volatile boolean watched;

  private StoreReply execute(StoreCall call, long timeoutMs) {
    if (!watched || !call.writes()) {
      return memory.execute(call, timeoutMs);
    }
    writers.add(Thread.currentThread().getName());
    mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
    try {
      gate.join();
      return memory.execute(call, timeoutMs);
    } finally {
      atOnce.decrementAndGet();
    }
  }

  private RateLimiter limiter(LimiterOptions.Builder options) {
    return RateLimiter.create(
        (BlockingStore) this::execute,
        options.settlement(Settlement.DEFERRED).maxDefer(Duration.ofMillis(50)).build());
  }

  private static void spend(RateLimiter limiter, int key) {
    AcquireRequest request =
        AcquireRequest.of("key-" + key, "gpt-4")
            .limits(Limit.perMinute("tpm", 1_000))
            .consume("tpm", 1);
    try (Lease lease = limiter.acquire(request)) {
      lease.adjust("tpm", 1);
    }
  }

  @Test
  void deferredWrites_storeBlocks_useFewThreadsOfTheirOwn() {
    try (RateLimiter limiter = limiter(LimiterOptions.builder().maxDefer(Duration.ofMinutes(1)))) {
      watched = true;
      for (int i = 0; i < BUCKETS; i++) {
        watched = false;
        spend(limiter, i);
        watched = true;
      }
      Await.until(() -> atOnce.get() >= 24, "as many as may write do");
      gate.complete(null);
      Await.until(() -> limiter.metrics().settled() == BUCKETS, "all are written");

      assertThat(mostAtOnce.get()).isEqualTo(24);
      assertThat(writers).allMatch(name -> name.startsWith("millrace-background-"));
      assertThat(writers).hasSizeLessThanOrEqualTo(32 + 8); // those that end are made again
    }
  }

  @Test
  void deferredWrite_applicationBlocksTheCommonPool_isWrittenAllTheSame() {
    CountDownLatch release = new CountDownLatch(1);
    List<CompletableFuture<Void>> blockers = new ArrayList<>();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      CompletableFuture<Void> blocker = new CompletableFuture<>();
      blockers.add(blocker);
      ForkJoinPool.commonPool()
          .execute(
              () -> {
                try {
                  release.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                blocker.complete(null);
              });
    }
    gate.complete(null);
    try (RateLimiter limiter = limiter(LimiterOptions.builder())) {
      spend(limiter, 0);
      watched = true;

      Await.until(() -> limiter.metrics().settled() == 1, "it is written");

      assertThat(blockers).noneMatch(CompletableFuture::isDone);
      assertThat(writers).allMatch(name -> name.startsWith("millrace-background-"));
    } finally {
      release.countDown();
    }
  }

  /** Nothing is dropped, and nothing runs on the timer's thread. */
  @Test
  void deferredWrite_noThreadIsFree_isCountedAndWrittenLater() {
    gate.complete(null);
    AtomicInteger rejections = new AtomicInteger(3);
    try (RateLimiter limiter =
        limiter(LimiterOptions.builder().threads(new BusyThreads(rejections)))) {
      spend(limiter, 0);
      watched = true;

      Await.until(() -> limiter.metrics().settled() == 1, "it is written");

      assertThat(limiter.metrics().backgroundThreadsBusy()).isPositive();
      assertThat(writers).hasSize(1).allMatch(name -> name.startsWith("free-"));
    }
  }

  /** The machine's threads, of which none is free for the first tasks. */
  private record BusyThreads(AtomicInteger rejections) implements Threads {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException {
      return Threads.system().await(event, maxNanos);
    }

    @Override
    public ExecutorService helpers(String name, int maxThreads) {
      return new ThreadPoolExecutor(
          0,
          maxThreads,
          1,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> new Thread(task, "free-" + name)) {
        @Override
        public void execute(Runnable task) {
          if (rejections.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new RejectedExecutionException("busy");
          }
          super.execute(task);
        }
      };
    }
  }
}
