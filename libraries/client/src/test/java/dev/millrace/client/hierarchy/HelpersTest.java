package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.Lease;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Rounds;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A store that only blocks: the buckets of a request are written at the same time by helpers, of
 * which there is a bounded number.
 */
class HelpersTest {
  private static final int DEPTH = 8;
  private static final int CALLERS = 24;

  private final HierarchyBench bench = new HierarchyBench();
  private final AtomicInteger busy = new AtomicInteger();
  private final Helpers helpers = new Helpers(bench.calls);

  /** Notes which helpers make calls, and how many at a time. */
  private static final class Helpers implements BlockingStore {
    private final BlockingStore store;
    private final Set<Thread> seen = ConcurrentHashMap.newKeySet();
    private final AtomicInteger atWork = new AtomicInteger();
    private final AtomicInteger mostAtWork = new AtomicInteger();

    Helpers(BlockingStore store) {
      this.store = store;
    }

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      Thread thread = Thread.currentThread();
      if (!thread.getName().startsWith("millrace-leg-")) {
        return store.execute(call, timeoutMs);
      }
      seen.add(thread);
      mostAtWork.accumulateAndGet(atWork.incrementAndGet(), Math::max);
      try {
        return store.execute(call, timeoutMs);
      } finally {
        atWork.decrementAndGet();
      }
    }
  }

  private RateLimiter limiter(LimiterOptions.Builder options) {
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.Notice notice
              && notice.kind() == LimiterEvent.Notice.Kind.LEG_THREADS_BUSY) {
            busy.incrementAndGet();
          }
        };
    return RateLimiter.create(helpers, options.listener(listener).build());
  }

  private void chain(String entity, int depth) {
    String[] chain = new String[depth + 1];
    chain[0] = entity;
    for (int i = 1; i <= depth; i++) {
      chain[i] = entity + "-" + i;
    }
    bench.directory.chain(chain);
  }

  private void awaitNoHelper() {
    Await.until(() -> helpers.seen.stream().noneMatch(Thread::isAlive), "all helpers have gone");
  }

  @Test
  void acquire_ancestors_areWrittenByHelpersAtTheSameTime() {
    chain(ENTITY, DEPTH);
    bench.directory.system(rpm(1_000));
    try (RateLimiter limiter = limiter(bench.options())) {
      limiter.acquire(request(1));
      bench.faults.always(Calls.any(), Rounds.of(DEPTH + 1));
      limiter.acquire(request(1));

      assertThat(helpers.mostAtWork.get()).isEqualTo(DEPTH);
      assertThat(busy.get()).isZero();
      assertThat(helpers.seen).allMatch(Thread::isDaemon);
    }
    awaitNoHelper();
    assertThat(bench.consumed(ENTITY + "-" + DEPTH)).isEqualTo(2);
  }

  @Test
  void acquire_singleBucket_needsNoHelperOnceItIsKnown() {
    bench.directory.system(rpm(1_000));
    try (RateLimiter limiter = limiter(bench.options())) {
      limiter.acquire(request(1));
      helpers.seen.clear();
      limiter.acquire(request(1));
      assertThat(helpers.seen).isEmpty();
    }
  }

  /** Who finds all helpers busy does the work itself. */
  @Test
  void acquire_allHelpersBusy_isDoneByTheCaller() throws Exception {
    chain("slow", 1);
    chain("quick", 3);
    bench.directory.system(rpm(1_000));
    try (RateLimiter limiter = limiter(bench.options().maxLegThreads(1))) {
      limiter.acquire(request("slow", 1));
      limiter.acquire(request("quick", 1));
      busy.set(0);
      Gate gate = new Gate();
      bench.faults.once(
          call -> call instanceof StoreCall.Write write && write.key().entityId().equals("slow-1"),
          Fault.holdReply(gate));
      Background<Lease> slow = Background.begin(() -> limiter.acquire(request("slow", 1)));
      gate.awaitArrivals(1);

      limiter.acquire(request("quick", 1));

      assertThat(busy.get()).isPositive();
      assertThat(limiter.metrics().legThreadsBusy()).isPositive();
      assertThat(slow.result()).isNotDone();
      gate.open();
      Await.result(slow.result());
      for (String entity : List.of("slow", "slow-1", "quick", "quick-1", "quick-2", "quick-3")) {
        assertThat(bench.consumed(entity)).as(entity).isEqualTo(2);
      }
    }
  }

  @Test
  void acquire_manyCallers_useNoMoreThreadsThanAllowed() {
    int maxThreads = 3;
    bench.directory.system(rpm(100_000));
    for (int i = 0; i < CALLERS; i++) {
      chain("e" + i, DEPTH);
    }
    bench.directory.add("shared", null);
    try (RateLimiter limiter = limiter(bench.options().maxLegThreads(maxThreads))) {
      List<Background<Boolean>> begun = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        String entity = "e" + i % 5; // several callers share their buckets
        begun.add(
            Background.start(
                () -> {
                  for (int call = 0; call < 20; call++) {
                    Lease lease = limiter.acquire(request(entity, 2));
                    lease.adjust("rpm", -1);
                    lease.close();
                  }
                  return true;
                }));
      }
      begun.forEach(one -> Await.result(one.result()));

      assertThat(helpers.mostAtWork.get()).isBetween(1, maxThreads);
      assertThat(busy.get()).isPositive();
    }
    awaitNoHelper();
    long total = 0;
    for (int i = 0; i < 5; i++) {
      assertThat(bench.consumed("e" + i)).isEqualTo(bench.consumed("e" + i + "-" + DEPTH));
      total += bench.consumed("e" + i);
    }
    assertThat(total).isEqualTo(CALLERS * 20L);
  }

  /** After the end helpers are gone, but an open lease can still be ended. */
  @Test
  void close_openLeases_areEndedWithoutHelpers() {
    chain(ENTITY, 3);
    bench.directory.system(rpm(1_000));
    RateLimiter limiter = limiter(bench.options());
    Lease lease = limiter.acquire(request(5));
    limiter.close();
    awaitNoHelper();
    busy.set(0);

    lease.adjust("rpm", -2);
    lease.close();

    assertThat(bench.consumed(ENTITY + "-3")).isEqualTo(3);
    assertThat(helpers.seen).noneMatch(Thread::isAlive);
    assertThat(busy.get()).as("nobody is to be told").isZero();
  }

  /** The time limit is one for all buckets, not one for each; who answers late is given back. */
  @Test
  void acquire_ancestorsDoNotAnswer_takesNoLongerThanTheTimeout() throws Exception {
    chain(ENTITY, DEPTH);
    bench.directory.system(rpm(1_000));
    Duration timeout = Duration.ofMillis(700);
    try (RateLimiter limiter = limiter(bench.options().timeout(timeout))) {
      limiter.acquire(request(1));
      Gate gate = new Gate();
      bench.faults.always(
          call -> call instanceof StoreCall.Write write && !write.key().entityId().equals(ENTITY),
          Fault.holdReply(gate));
      long beganAt = System.nanoTime();

      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> limiter.acquire(request(5)))
          .satisfies(e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));

      assertThat(Duration.ofNanos(System.nanoTime() - beganAt))
          .isLessThan(timeout.multipliedBy(DEPTH / 2));
      gate.open();
      for (int i = 1; i <= DEPTH; i++) {
        String entity = ENTITY + "-" + i;
        Await.until(() -> bench.consumed(entity) == 1, entity + " is given back");
      }
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }
}
