package dev.millrace.client.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.Sharding;
import dev.millrace.TimeSource;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Several processes with several callers each ask at the same time for what trees of entities
 * share, and the store fails now and then. When all is settled, every bucket has counted exactly
 * what leases hold: nothing of what was refused, and nothing twice.
 */
class AllOrNoneLawsTest {
  private static final int CASES = 25;
  private static final int PROCESSES = 3;
  private static final int CALLERS = 3;
  private static final int REQUESTS = 30;

  /** What happens to calls. */
  enum Weather {
    /** Nothing. */
    FINE,
    /** Some are refused by the store, and surely had no effect. */
    THROTTLED,
    /** The answers of some are lost, before or after they had an effect. */
    LOSSY
  }

  @ParameterizedTest
  @EnumSource(Weather.class)
  void acquire_manyAtOnce_theBooksBalance(Weather weather) {
    Gen.forEachSeed(CASES, (random, seed) -> new Case(weather, random).run());
  }

  /** Nothing is earned, and those who wait a moment for more to share their write still go on. */
  private record FrozenClock(ManualClock clock) implements TimeSource {
    @Override
    public long nowMs() {
      return clock.nowMs();
    }

    @Override
    public long elapsedMs() {
      return clock.elapsedMs();
    }

    @Override
    public CompletableFuture<Void> after(long delayMs) {
      return TimeSource.system().after(delayMs);
    }
  }

  /** A granted request. */
  private record Grant(AcquireRequest request, Lease lease) {}

  private static final class Case implements LimiterListener {
    private final HierarchyBench bench = new HierarchyBench();
    private final Weather weather;
    private final RandomGenerator random;
    private final RandomTree tree;
    private final ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Grant> kept = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<AcquireRequest> refused = new ConcurrentLinkedQueue<>();
    private final AtomicLong callNumber = new AtomicLong();
    private final long faultSeed;

    /** What may be counted beyond what leases hold, by bucket and limit. */
    private final Map<Map.Entry<BucketKey, String>, Long> uncertain = new ConcurrentHashMap<>();

    /** One bucket may have refused a request while the answer of another was lost. */
    private final Set<BucketKey> lostAnswers = ConcurrentHashMap.newKeySet();

    private volatile String broken = "";

    Case(Weather weather, RandomGenerator random) {
      this.weather = weather;
      this.random = random;
      this.tree = new RandomTree(random, bench.directory, /* everyLimit= */ false);
      this.faultSeed = random.nextLong();
    }

    void run() {
      bench.faults.always(Calls.any(), this::around);
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        callers.add(caller());
      }
      inParallel(callers, (caller, own) -> acquireMany(caller, own));
      bench.faults.heal();
      inParallel(callers, (caller, own) -> endMany(own));
      kept.addAll(grants);
      kept.forEach(grant -> grant.lease.close());
      callers.forEach(Caller::close);
      assertThat(broken).isEmpty();
      refused.forEach(request -> noteUncertain(request, lostAnswers::contains));
      assertBalanced();
    }

    private Caller caller() {
      Style style = Gen.oneOf(random, List.of(Style.values()));
      Consistency consistency = Gen.oneOf(random, List.of(Consistency.values()));
      return bench.caller(
          style,
          bench
              .options()
              .time(new FrozenClock(bench.clock))
              .consistency(consistency)
              .sharding(Sharding.DEFAULT.withMaxShards(1)) // the books are those of whole buckets
              .listener(this));
    }

    private interface Work {
      void run(Caller caller, RandomGenerator random);
    }

    private void inParallel(List<Caller> callers, Work work) {
      List<Background<Boolean>> begun = new ArrayList<>();
      for (Caller caller : callers) {
        for (int i = 0; i < CALLERS; i++) {
          SplittableRandom own = new SplittableRandom(random.nextLong());
          begun.add(
              Background.start(
                  () -> {
                    work.run(caller, own);
                    return true;
                  }));
        }
      }
      begun.forEach(one -> Await.result(one.result()));
    }

    private void acquireMany(Caller caller, RandomGenerator own) {
      for (int i = 0; i < REQUESTS; i++) {
        AcquireRequest request = tree.request(own);
        if (request == null) {
          continue;
        }
        try {
          Caller.Answer answer = caller.tryAcquire(request);
          answer
              .lease()
              .ifPresentOrElse(
                  lease -> grants.add(new Grant(request, lease)), () -> refused.add(request));
          Grant grant = Gen.oneIn(own, 8) ? grants.peek() : null;
          if (grant != null) {
            consumeMore(grant, own);
          }
        } catch (LimiterUnavailableException e) {
          noteUncertain(request, e);
        }
      }
    }

    private void consumeMore(Grant grant, RandomGenerator own) {
      AcquireRequest first = grant.request;
      String limit = Gen.oneOf(own, List.copyOf(first.tokens().keySet()));
      long amount = own.nextLong(3);
      try {
        grant.lease.consume(limit, amount);
      } catch (RateLimitExceededException e) {
        refused.add(more(first, limit, amount));
      } catch (LimiterUnavailableException e) {
        noteUncertain(more(first, limit, amount), e);
      }
    }

    private static AcquireRequest more(AcquireRequest first, String limit, long amount) {
      return AcquireRequest.of(first.entityId(), first.resource()).consume(limit, amount);
    }

    private void noteUncertain(AcquireRequest request, LimiterUnavailableException e) {
      if (Boolean.TRUE.equals(e.attributes().get("mayBeCharged"))) {
        noteUncertain(request, at -> true);
      }
    }

    private void noteUncertain(AcquireRequest request, Predicate<BucketKey> where) {
      for (ResourceAmounts draw : request.draws()) {
        for (Map.Entry<String, Long> named : draw.tokens().entrySet()) {
          for (Map.Entry<BucketKey, String> at :
              tree.drawnOn(request.entityId(), draw.resource(), named.getKey())) {
            if (where.test(at.getKey())) {
              uncertain.merge(at, named.getValue() * Limit.MILLI, Long::sum);
            }
          }
        }
      }
    }

    @Override
    public void onEvent(LimiterEvent event) {
      if (event instanceof LimiterEvent.Notice notice
          && notice.kind() == LimiterEvent.Notice.Kind.UNKNOWN_OUTCOME) {
        lostAnswers.add(Objects.requireNonNull(notice.bucket()));
      } else if (event instanceof LimiterEvent.SettlementProgress settlement
          && settlement.state() == LimiterEvent.SettlementProgress.State.FAILED) {
        notGivenBack(settlement.bucket(), settlement.amounts());
      }
    }

    /** What could not be given back stays counted. */
    private void notGivenBack(BucketKey key, Amounts amounts) {
      for (int i = 0; i < amounts.limits().size(); i++) {
        uncertain.merge(
            Map.entry(key, amounts.limits().get(i).name()),
            Math.max(0, -amounts.milli(i)),
            Long::sum);
      }
    }

    private void endMany(RandomGenerator own) {
      for (int i = 0; i < REQUESTS; i++) {
        Grant grant = grants.poll();
        if (grant == null) {
          return;
        }
        int end = own.nextInt(4);
        if (end == 0) {
          grant.lease.cancel();
        } else if (end == 1) {
          String limit = Gen.oneOf(own, List.copyOf(grant.request.tokens().keySet()));
          grant.lease.release(limit, own.nextLong(grant.lease.consumed(limit) + 1));
          grant.lease.close();
          kept.add(grant); // it holds the rest
        } else {
          kept.add(grant);
        }
      }
    }

    private CompletionStage<StoreReply> around(
        StoreCall call, Supplier<CompletionStage<StoreReply>> proceed) {
      SplittableRandom chance = new SplittableRandom(faultSeed + callNumber.incrementAndGet());
      Fault fault = fault(call, chance);
      return fault.around(call, () -> proceed.get().thenApply(this::checked));
    }

    private Fault fault(StoreCall call, RandomGenerator chance) {
      if (weather == Weather.FINE || !Gen.oneIn(chance, 12)) {
        return Fault.none();
      }
      if (weather == Weather.LOSSY && call.writes()) {
        return chance.nextBoolean() ? Fault.loseReply() : Fault.loseRequest();
      }
      return call instanceof StoreCall.Transaction && chance.nextBoolean()
          ? Fault.conflict()
          : Fault.throttle();
    }

    private StoreReply checked(StoreReply reply) {
      if (reply instanceof StoreReply.Applied applied) {
        requireNotNegative(applied.state());
      }
      return reply;
    }

    private void requireNotNegative(BucketState state) {
      for (LimitState limit : state.limits()) {
        if (limit.tokensMilli() < 0) {
          broken = "below zero: " + state;
        }
      }
    }

    private void assertBalanced() {
      Map<Map.Entry<BucketKey, String>, Long> held = held();
      for (String entity : tree.entities()) {
        for (String resource : RandomTree.RESOURCES) {
          BucketState state = bench.memory.snapshot(HierarchyBench.key(entity, resource));
          if (state == null) {
            continue;
          }
          requireNotNegative(state);
          for (LimitState limit : state.limits()) {
            Map.Entry<BucketKey, String> at = Map.entry(state.key(), limit.name());
            long holdsMilli = held.getOrDefault(at, 0L);
            long moreMilli = uncertain.getOrDefault(at, 0L);
            assertThat(limit.consumedMilli())
                .as("counted by %s %s", state.key(), limit.name())
                .isBetween(holdsMilli, holdsMilli + moreMilli);
            assertThat(limit.tokensMilli())
                .as("balance of %s %s", state.key(), limit.name())
                .isEqualTo(limit.limit().burstMilli() - limit.consumedMilli());
            held.remove(at);
          }
        }
      }
      held.values().removeIf(milli -> milli == 0);
      assertThat(held).as("held, but counted nowhere").isEmpty();
      assertThat(broken).isEmpty();
    }

    private Map<Map.Entry<BucketKey, String>, Long> held() {
      Map<Map.Entry<BucketKey, String>, Long> held = new ConcurrentHashMap<>();
      for (Grant grant : kept) {
        AcquireRequest request = grant.request;
        for (ResourceAmounts draw : request.draws()) {
          for (Map.Entry<String, Long> named : draw.tokens().entrySet()) {
            boolean first = draw.resource().equals(request.resource());
            long tokens = first ? grant.lease.consumed(named.getKey()) : named.getValue();
            for (Map.Entry<BucketKey, String> at :
                tree.drawnOn(request.entityId(), draw.resource(), named.getKey())) {
              held.merge(at, tokens * Limit.MILLI, Long::sum);
            }
          }
        }
      }
      return held;
    }
  }
}
