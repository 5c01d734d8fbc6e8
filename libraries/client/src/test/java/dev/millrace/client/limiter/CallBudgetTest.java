package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.Threads;
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One budget bounds the writes of a call, through all its legs, retries and its giving back. */
class CallBudgetTest {
  private static final int RESOURCES = AcquireRequest.MAX_RESOURCES;

  /** A store in which another writer is always faster: every write that it picks is refused. */
  private static final class ContendedStore implements BlockingStore, AsyncStore {
    private final InMemoryStore memory;
    private final AtomicInteger writes = new AtomicInteger();
    private volatile Predicate<StoreCall> refused = call -> false;

    ContendedStore(InMemoryStore memory) {
      this.memory = memory;
    }

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      if (call.writes()) {
        writes.incrementAndGet();
      }
      if (!refused.test(call)) {
        return memory.execute(call, timeoutMs);
      }
      if (call instanceof StoreCall.Write write) {
        return new StoreReply.Refused(memory.snapshot(write.key()), Receipt.NONE);
      }
      List<StoreReply.Cancelled.Cause> causes = new ArrayList<>();
      ((StoreCall.Transaction) call)
          .plans()
          .forEach(
              plan ->
                  causes.add(
                      new StoreReply.Cancelled.Cause(true, memory.snapshot(plan.key()), null)));
      ((StoreCall.Transaction) call)
          .changes()
          .forEach(change -> causes.add(StoreReply.Cancelled.Cause.NONE));
      return new StoreReply.Cancelled(causes, Receipt.NONE);
    }

    @Override
    public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
      return CompletableFuture.completedFuture(execute(call, timeoutMs));
    }
  }

  /** The machine's threads; tells when no helper is at work. */
  private static final class WatchedThreads implements Threads {
    private final List<ThreadPoolExecutor> pools = new CopyOnWriteArrayList<>();

    @Override
    public long nanoTime() {
      return Threads.system().nanoTime();
    }

    @Override
    public boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException {
      return Threads.system().await(event, maxNanos);
    }

    @Override
    public ExecutorService helpers(String name, int maxThreads) {
      ThreadPoolExecutor pool = (ThreadPoolExecutor) Threads.system().helpers(name, maxThreads);
      pools.add(pool);
      return pool;
    }

    void awaitIdle() {
      Await.until(
          () -> pools.stream().allMatch(pool -> pool.getActiveCount() == 0), "no helper works");
    }
  }

  private final Bench bench = new Bench();
  private final ContendedStore store = new ContendedStore(bench.memory);

  private static String resource(int index) {
    return index == 0 ? Bench.KEY.resource() : "model-" + index;
  }

  /** A request for a bucket of each of the most resources. */
  private static AcquireRequest widest(long rpm) {
    AcquireRequest request = Bench.rpm(rpm);
    for (int i = 1; i < RESOURCES; i++) {
      request = request.and(resource(i), Bench.LIMITS, Map.of("rpm", rpm));
    }
    return request;
  }

  /** Makes the buckets by another limiter, which leads no write any more. */
  private static void seed(ContendedStore store, LimiterOptions options, AcquireRequest request) {
    try (Caller seeding = Style.ASYNC.caller(store, options)) {
      seeding.acquire(request).close();
    }
  }

  /** A request for every resource of an entity with the longest line of ancestors. */
  private static AcquireRequest largest(HierarchyBench hierarchy) {
    String[] chain = new String[1 + EntityRecord.MAX_ANCESTORS];
    Arrays.setAll(chain, i -> i == 0 ? HierarchyBench.ENTITY : "ancestor-" + i);
    hierarchy.directory.system(HierarchyBench.rpm(1_000));
    hierarchy.directory.chain(chain);
    AcquireRequest request = HierarchyBench.request(1);
    for (int i = 1; i < RESOURCES; i++) {
      request = request.and(resource(i), "rpm", 1);
    }
    return request;
  }

  private static void assertContended(Caller caller, AcquireRequest request) {
    assertThatThrownBy(() -> caller.acquire(request))
        .isInstanceOfSatisfying(
            LimiterUnavailableException.class,
            thrown ->
                assertThat(thrown.attributes().get("failure"))
                    .isEqualTo(StoreFailure.Kind.CONTENDED));
  }

  @ParameterizedTest
  @EnumSource
  void acquire_everyWriteOfEveryLegIsRefused_takesAllWritesButThoseForGivingBack(Style style) {
    seed(store, bench.options().build(), widest(1));
    try (Caller caller = style.caller(store, bench.options().build())) {
      store.refused = StoreCall::writes;
      store.writes.set(0);

      assertContended(caller, widest(1));

      assertThat(store.writes).hasValue(CallBudget.MAX_WRITES - CallBudget.MAX_LEGS);
    }
  }

  /** Half of the buckets are charged; every write after that is refused, also to give back. */
  @ParameterizedTest
  @EnumSource
  void acquire_largestRequestIsChargedByHalfAndNotGivenBack_takesAllWrites(Style style) {
    HierarchyBench hierarchy = new HierarchyBench();
    AcquireRequest largest = largest(hierarchy);
    ContendedStore contended = new ContendedStore(hierarchy.memory);
    LimiterOptions options = hierarchy.options().build();
    seed(contended, options, largest);
    try (Caller caller = style.caller(contended, options)) {
      AtomicInteger passing = new AtomicInteger(CallBudget.MAX_LEGS / 2);
      contended.refused = call -> call.writes() && passing.getAndDecrement() <= 0;
      contended.writes.set(0);

      assertContended(caller, largest);

      assertThat(contended.writes).hasValue(CallBudget.MAX_WRITES);
      assertThat(caller.metrics().settlementsPostponed()).isEqualTo(CallBudget.MAX_LEGS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_everyWriteOfADividedBucketIsRefused_takesNoMoreWritesThanTheBudget(Style style) {
    AcquireRequest request =
        AcquireRequest.of("hot", "gpt-4").limits(Limit.perDay("rpd", 1_000)).consume("rpd", 1);
    BucketKey key = BucketKey.first("default", "hot", "gpt-4");
    try (Caller caller = style.caller(store, bench.options().build())) {
      caller.acquire(request).close();
      store.execute(new StoreCall.Write(new WritePlan.Resize(key, 1, 4, 0, "resize")), 1);
      for (int i = 0; i < 500 && bench.memory.snapshot(key.withShard(3)) == null; i++) {
        bench.advance(60);
        caller.acquire(request).cancel();
      }
      assertThat(bench.memory.snapshot(key.withShard(3))).isNotNull();
      store.refused = StoreCall::writes;
      store.writes.set(0);

      assertThatThrownBy(() -> caller.acquire(request))
          .isInstanceOf(LimiterUnavailableException.class);

      assertThat(store.writes.get()).isPositive().isLessThanOrEqualTo(CallBudget.MAX_WRITES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void settle_everyWriteOfTheLargestLeaseIsRefused_takesAllWritesAndIsPostponed(Style style) {
    HierarchyBench hierarchy = new HierarchyBench();
    ContendedStore contended = new ContendedStore(hierarchy.memory);
    WatchedThreads threads = new WatchedThreads();
    LimiterOptions options = hierarchy.options().threads(threads).build();
    try (Caller caller = style.caller(contended, options)) {
      Lease lease = caller.acquire(largest(hierarchy));
      threads.awaitIdle(); // one that still hands a bucket on would lead a write of its own budget
      contended.refused = StoreCall::writes;
      contended.writes.set(0);

      lease.cancel();

      assertThat(contended.writes).hasValue(CallBudget.MAX_WRITES);
      assertThat(lease.isPostponed()).isTrue();
      assertThat(caller.metrics().writeBudgetsSpent()).isPositive();
    }
  }
}
