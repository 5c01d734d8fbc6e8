package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long what is stored is believed, and what that saves. */
class ConfigCacheTest {
  private static final long MINUTE_MS = 60_000;

  private final HierarchyBench bench = new HierarchyBench();

  private long capacity() {
    return bench.limit(HierarchyBench.key(ENTITY), "rpm").limit().capacityMilli() / Limit.MILLI;
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_withinAMinute_looksNothingUp(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isEqualTo(1);
      bench.advance(MINUTE_MS - 1);
      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isZero();
      bench.advance(1);
      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isEqualTo(1);
    }
  }

  /** A level that is not there is remembered as well as one that is. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_otherEntities_shareTheLevelsThatAreNotTheirs(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.memory.remove(HierarchyBench.key(ENTITY));
      caller.acquire(request("warm", 0));
      bench.advance(500);

      List<StoreCall> lookUps = bench.callsOf(Calls.lookups(), () -> caller.acquire(request(1)));

      // The bucket was gone: what it is made of is looked up, and nothing else.
      assertThat(lookUps)
          .singleElement()
          .satisfies(call -> assertThat(((StoreCall.Lookup) call).consistent()).isTrue());
      assertThat(caller.configCache().negativeHits()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void stats_oneColdAcquire_countsEachRecordOnce(Style style) {
    bench.directory.chain(ENTITY, "team", "org");
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));

      long asked =
          bench.calls.calls().stream()
              .filter(StoreCall.Lookup.class::isInstance)
              .mapToLong(call -> ((StoreCall.Lookup) call).keys().size())
              .sum();
      assertThat(caller.configCache().misses()).isEqualTo(asked);
      assertThat(caller.configCache().hits()).isZero();
      assertThat(caller.configCache().size()).isEqualTo(asked);
      assertThat(caller.configCache().evictions()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void invalidate_afterAChange_looksUpAtOnce(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(500));

      caller.invalidate();
      assertThat(caller.configCache().size()).isZero();

      assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isEqualTo(1);
      assertThat(capacity()).isEqualTo(500);
    }
  }

  /** What was read before the cache was emptied does not come into it afterwards. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void invalidate_whileALookUpIsUnderWay_forgetsWhatThatBrings(Style style) throws Exception {
    bench.directory.system(rpm(1_000));
    Gate gate = new Gate();
    bench.faults.once(Calls.lookups(), Fault.holdReply(gate));
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> early = caller.begin(request(1));
      gate.awaitArrivals(1);
      bench.directory.system(rpm(500));

      caller.invalidate();
      gate.open();
      Await.result(early);
      caller.acquire(request(1));

      assertThat(capacity()).isEqualTo(500);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_manyEntities_theCacheStaysBounded(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style, bench.options().maxConfigs(50))) {
      for (int i = 0; i < 500; i++) {
        caller.acquire(request("key-" + i, 1));
      }
      Await.until(() -> caller.configCache().size() <= 50, "the cache shrinks to its bound");
      assertThat(caller.configCache().evictions()).isGreaterThan(1_000);
      caller.acquire(request("key-0", 1));
      assertThat(bench.consumed("key-0")).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_shortConfigAge_isObeyed(Style style) {
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(style, bench.options().configAge(Duration.ofMillis(1)))) {
      for (int i = 0; i < 5; i++) {
        assertThat(bench.lookUps(() -> caller.acquire(request(1)))).isEqualTo(1);
        bench.advance(1);
      }
    }
  }

  /** A call with limits of its own needs the stored ones no less: for the switch and the parent. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitsOnTheCall_areCachedLikeStoredOnes(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThat(bench.lookUps(() -> caller.acquire(request(1).limits(rpm(10))))).isEqualTo(1);
      assertThat(bench.lookUps(() -> caller.acquire(request(1).limits(rpm(10))))).isZero();
      assertThat(bench.state(ENTITY).stamp()).isEqualTo(ConfigStamp.CALL);
      assertThat(HierarchyBench.key(ENTITY).resource()).isEqualTo(RESOURCE);
    }
  }
}
