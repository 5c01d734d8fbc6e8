package dev.millrace.client.hierarchy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterDisabledException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.testkit.internal.generator.Gen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Parents, limits and switches change while several processes ask. When all leases are given back,
 * no bucket holds anything, whichever parents it had meanwhile; and after the last change everybody
 * draws on what holds by then.
 */
class ChangesLawsTest {
  private static final int CASES = 20;
  private static final int PROCESSES = 3;
  private static final int CALLERS = 2;
  private static final int REQUESTS = 40;
  private static final int CHANGES = 30;

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void acquire_whileEverythingChanges_givesBackWhatItTook(Consistency consistency) {
    Gen.forEachSeed(CASES, (random, seed) -> new Case(consistency, random).run());
  }

  private static final class Case {
    private final HierarchyBench bench = new HierarchyBench();
    private final Consistency consistency;
    private final RandomGenerator random;
    private final RandomTree tree;
    private final List<Caller> callers = new ArrayList<>();

    Case(Consistency consistency, RandomGenerator random) {
      this.consistency = consistency;
      this.random = random;
      this.tree = new RandomTree(random, bench.directory, /* everyLimit= */ true);
      for (int i = 0; i < PROCESSES; i++) {
        Style style = Gen.oneOf(random, List.of(Style.values()));
        callers.add(bench.caller(style, bench.options().consistency(consistency)));
      }
    }

    void run() {
      makeAllBuckets();
      List<Background<Boolean>> begun = new ArrayList<>();
      AtomicBoolean over = new AtomicBoolean();
      for (Caller caller : callers) {
        for (int i = 0; i < CALLERS; i++) {
          SplittableRandom own = new SplittableRandom(random.nextLong());
          begun.add(Background.start(() -> useAndGiveBack(caller, own)));
        }
      }
      SplittableRandom own = new SplittableRandom(random.nextLong());
      Background<Boolean> changes = Background.start(() -> change(own, over));
      begun.forEach(one -> Await.result(one.result()));
      over.set(true);
      Await.result(changes.result());
      assertAllIsGivenBack();
      assertEverybodyIsUpToDate();
      callers.forEach(Caller::close);
    }

    /** A change reaches buckets that exist; one that is made at the same moment may miss it. */
    private void makeAllBuckets() {
      for (String entity : tree.entities()) {
        AcquireRequest request = AcquireRequest.of(entity, RandomTree.RESOURCES.get(0));
        callers.get(0).acquire(request.consume("a", 0).and(RandomTree.RESOURCES.get(1), "a", 0));
      }
    }

    private boolean useAndGiveBack(Caller caller, RandomGenerator own) {
      List<Lease> held = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        AcquireRequest request = tree.request(own);
        if (request == null) {
          continue;
        }
        try {
          caller.tryAcquire(request).lease().ifPresent(held::add);
          if (!held.isEmpty() && Gen.oneIn(own, 4)) {
            Lease lease = Gen.oneOf(own, held);
            lease.consume(Gen.oneOf(own, List.copyOf(request.tokens().keySet())), 1);
          }
        } catch (RateLimitExceededException | LimiterDisabledException e) {
          // nothing was taken
        } catch (IllegalArgumentException e) {
          // another lease's limits: not one of those
        } catch (LimiterUnavailableException e) {
          // it changed all the time
          assertThat(e.attributes()).containsEntry("mayBeCharged", false);
        }
        if (held.size() > 3) {
          held.remove(0).cancel();
        }
      }
      held.forEach(Lease::cancel);
      return true;
    }

    private boolean change(RandomGenerator own, AtomicBoolean over) {
      for (int i = 0; i < CHANGES && !over.get(); i++) {
        tree.change(own, bench.directory);
        refreshAll();
      }
      tree.switchAllOn(bench.directory);
      refreshAll();
      return true;
    }

    private void refreshAll() {
      for (String entity : tree.entities()) {
        for (String resource : RandomTree.RESOURCES) {
          bench.directory.refresh(entity, resource, bench.clock.nowMs());
        }
      }
    }

    private void assertAllIsGivenBack() {
      for (BucketState state : buckets()) {
        for (LimitState limit : state.limits()) {
          assertThat(limit.consumedMilli())
              .as("left behind in %s %s", state.key(), limit.name())
              .isZero();
        }
      }
    }

    private List<BucketState> buckets() {
      List<BucketState> buckets = new ArrayList<>();
      for (String entity : tree.entities()) {
        for (String resource : RandomTree.RESOURCES) {
          BucketState state = bench.memory.snapshot(HierarchyBench.key(entity, resource));
          if (state != null) {
            buckets.add(state);
          }
        }
      }
      return buckets;
    }

    /**
     * What the processes know is older than the last change, and the buckets tell them. At once;
     * but a transaction that consumes without a claim is answered without a word about the bucket,
     * so there it takes until nobody counts on the claims of others any more: by the time of the
     * bucket, which follows refill timestamps that are ahead of the clock by up to the believed
     * skew.
     */
    private void assertEverybodyIsUpToDate() {
      long contendedMs = BucketSnapshot.CONTENTION_MS + PlanSettings.DEFAULT.maxSkewMs();
      bench.advance(consistency == Consistency.PARALLEL ? 0 : contendedMs);
      Map<Map.Entry<BucketKey, String>, Long> expected = new HashMap<>();
      for (Caller caller : callers) {
        for (int i = 0; i < REQUESTS / 4; i++) {
          AcquireRequest request = tree.request(random);
          if (request != null && caller.tryAcquire(request).isGranted()) {
            request
                .draws()
                .forEach(
                    draw ->
                        draw.tokens()
                            .forEach(
                                (limit, tokens) ->
                                    tree.drawnOn(request.entityId(), draw.resource(), limit)
                                        .forEach(
                                            at ->
                                                expected.merge(
                                                    at, tokens * Limit.MILLI, Long::sum))));
          }
        }
      }
      for (BucketState state : buckets()) {
        for (LimitState limit : state.limits()) {
          assertThat(limit.consumedMilli())
              .as("drawn on %s %s", state.key(), limit.name())
              .isEqualTo(expected.getOrDefault(Map.entry(state.key(), limit.name()), 0L));
        }
      }
    }
  }
}
