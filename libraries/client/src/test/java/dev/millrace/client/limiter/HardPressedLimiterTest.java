package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Settlement;
import dev.millrace.Threads;
import dev.millrace.client.support.Await;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many charges in doubt, threads that the machine does not give, and queues of many terms. */
@Timeout(60)
class HardPressedLimiterTest {
  private final InMemoryStore memory = new InMemoryStore();

  private static AcquireRequest request(long perMinute) {
    return AcquireRequest.of("a", "r").limits(Limit.perMinute("rpm", perMinute)).consume("rpm", 1);
  }

  private static LimiterOptions.Builder options() {
    return LimiterOptions.builder().namespaceId("n");
  }

  @Test
  void close_manyChargesInDoubt_areChargedAtMostOnceTooOften() {
    int closes = 60;
    AtomicBoolean losesAnswers = new AtomicBoolean();
    AtomicLong chargedMilli = new AtomicLong();
    BlockingStore store =
        (call, timeoutMs) -> {
          if (losesAnswers.get() && !call.writes()) {
            return new StoreReply.NotApplied(
                new StoreFailure(StoreFailure.Kind.THROTTLED, null), Receipt.NONE);
          }
          StoreReply reply = memory.execute(call, timeoutMs);
          WritePlan.Adjust adjust = adjust(call);
          if (adjust != null) {
            chargedMilli.addAndGet(-adjust.changes().get(0).addTokensMilli());
            if (losesAnswers.get()) {
              return new StoreReply.Unknown(
                  new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), Receipt.NONE);
            }
          }
          return reply;
        };
    RateLimiter limiter = RateLimiter.create(store, options().build());
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < closes; i++) {
      leases.add(limiter.acquire(request(1_000_000)));
    }
    losesAnswers.set(true);
    for (Lease lease : leases) {
      lease.adjust("rpm", 1);
      lease.close();
    }
    losesAnswers.set(false);
    limiter.close();

    assertThat(chargedMilli.get() / 1_000).isBetween((long) closes, 2L * closes);
  }

  private static WritePlan.@Nullable Adjust adjust(StoreCall call) {
    if (call instanceof StoreCall.Write write && write.plan() instanceof WritePlan.Adjust adjust) {
      return adjust;
    }
    return call instanceof StoreCall.Transaction made
            && made.plans().get(0) instanceof WritePlan.Adjust adjust
        ? adjust
        : null;
  }

  @Test
  void deferredCharge_threadCannotStart_isWrittenLater() {
    AtomicInteger failures = new AtomicInteger(1);
    BlockingStore store = (call, timeoutMs) -> memory.execute(call, timeoutMs);
    try (RateLimiter limiter =
        RateLimiter.create(
            store,
            options()
                .threads(new Starved("background", failures))
                .settlement(Settlement.DEFERRED)
                .maxDefer(Duration.ofMillis(50))
                .build())) {
      try (Lease lease = limiter.acquire(request(1_000))) {
        lease.adjust("rpm", 5);
      }

      Await.until(() -> limiter.metrics().settlementsPending() == 0, "it is written");
      assertThat(failures).hasValue(0);
    }
  }

  @Test
  void acquire_threadForTheNextBatchCannotStart_bucketGoesOn() throws Exception {
    AtomicInteger failures = new AtomicInteger();
    AtomicInteger inBackground = new AtomicInteger();
    AtomicBoolean holds = new AtomicBoolean();
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    BlockingStore store =
        (call, timeoutMs) -> {
          if (holds.compareAndSet(true, false)) {
            held.countDown();
            awaitQuietly(go);
          }
          return memory.execute(call, timeoutMs);
        };
    try (RateLimiter limiter =
        RateLimiter.create(
            store,
            options()
                .threads(new Starved("leg", failures, inBackground))
                .settlement(Settlement.DEFERRED)
                .maxDefer(Duration.ofMillis(1))
                .build())) {
      Lease lease = limiter.acquire(request(1_000));
      holds.set(true);
      Thread leader = new Thread(() -> limiter.acquire(request(1_000)));
      leader.start();
      held.await();
      lease.adjust("rpm", 5);
      int before = inBackground.get();
      lease.close(); // is due at once, and queues behind the write that is held
      Await.until(() -> inBackground.get() > before, "the settlement queues");
      failures.set(1);
      go.countDown();
      leader.join();

      assertThat(limiter.tryAcquire(request(1_000))).isInstanceOf(Acquisition.Granted.class);
      Await.until(() -> limiter.metrics().settlementsPending() == 0, "it is written");
    }
  }

  @Test
  void tryAcquire_manyTermsBehindOneWrite_areAllAnswered() throws Exception {
    AtomicReference<CompletableFuture<Void>> held = new AtomicReference<>();
    AtomicBoolean holds = new AtomicBoolean();
    AsyncStore store =
        (call, timeoutMs) -> {
          if (holds.compareAndSet(true, false)) {
            held.set(new CompletableFuture<>());
            return held.get().thenCompose(opened -> memory.executeAsync(call, timeoutMs));
          }
          return memory.executeAsync(call, timeoutMs);
        };
    try (RateLimiter limiter =
        RateLimiter.createAsync(store, options().timeout(Duration.ofSeconds(30)).build())) {
      limiter.acquireAsync(request(1_000_000)).toCompletableFuture().get(10, TimeUnit.SECONDS);
      holds.set(true);
      List<CompletableFuture<Acquisition>> asked = new ArrayList<>();
      for (int i = 0; i < 4_000; i++) {
        asked.add(limiter.tryAcquireAsync(request(1_000_000 + i % 2)).toCompletableFuture());
      }
      held.get().complete(null);

      for (CompletableFuture<Acquisition> answer : asked) {
        assertThat(answer.get(30, TimeUnit.SECONDS)).isInstanceOf(Acquisition.Granted.class);
      }
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Threads of which some cannot be started, as on a machine that is out of them. */
  private record Starved(String pool, AtomicInteger failures, AtomicInteger elsewhere)
      implements Threads {
    Starved(String pool, AtomicInteger failures) {
      this(pool, failures, new AtomicInteger());
    }

    private static final Threads SYSTEM = Threads.system();

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public boolean await(CompletableFuture<?> event, long nanos) throws InterruptedException {
      return SYSTEM.await(event, nanos);
    }

    @Override
    public ExecutorService helpers(String name, int most) {
      ExecutorService threads = SYSTEM.helpers(name, most);
      return new AbstractExecutorService() {
        @Override
        public void execute(Runnable task) {
          if (name.equals(pool) && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          threads.execute(
              () -> {
                task.run();
                elsewhere.addAndGet(name.equals(pool) ? 0 : 1);
              });
        }

        @Override
        public void shutdown() {
          threads.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
          return threads.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
          return threads.isShutdown();
        }

        @Override
        public boolean isTerminated() {
          return threads.isTerminated();
        }

        @Override
        public boolean awaitTermination(long most, TimeUnit unit) throws InterruptedException {
          return threads.awaitTermination(most, unit);
        }
      };
    }
  }
}
