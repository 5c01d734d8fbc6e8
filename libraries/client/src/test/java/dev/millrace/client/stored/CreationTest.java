package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.Settlement;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A bucket that exists tells whoever is behind; a new one cannot. So it is never made from what was
 * looked up a while ago.
 */
class CreationTest {
  private static final int MAX_DEPTH = 8;

  private final HierarchyBench bench = new HierarchyBench();

  private Limit limit(String entityId) {
    return bench.limit(key(entityId), "rpm").limit();
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketGoneAndLimitsChanged_isMadeWithTheNewOnes(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.memory.remove(key(ENTITY));
      bench.memory.remove(key("team"));
      bench.directory.system(rpm(5)); // there is no bucket that could be told
      bench.advance(30_000);

      caller.acquire(request(2));

      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
      assertThat(limit("team")).isEqualTo(rpm(5));
      assertThat(bench.consumed(ENTITY)).isEqualTo(2);
      assertThat(bench.consumed("team")).isEqualTo(2);
    }
  }

  /** The process knows the entity through another resource, and the rest through others. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_recordsKnownFromOthers_areLookedUpForANewBucket(Style style) {
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request("other", 1));
      bench.directory.system(rpm(5));
      bench.advance(30_000);

      caller.acquire(request(1));

      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
    }
  }

  /** What is settled may make a bucket; who asks in the same write may not for that reason. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_besideASettlement_doesNotMakeTheBucketFromMemory(Style style) {
    bench.directory.system(rpm(100));
    try (Caller caller =
        bench.caller(
            style,
            bench.options().settlement(Settlement.DEFERRED).maxDefer(Duration.ofMinutes(1)))) {
      caller.acquire(request(1));
      Lease lease = caller.acquire(request(5));
      lease.release("rpm", 5);
      lease.close(); // waits for the next write
      bench.memory.remove(key(ENTITY));
      bench.directory.system(rpm(7));
      bench.advance(500);

      caller.acquire(request(1));

      assertThat(limit(ENTITY)).isEqualTo(rpm(7));
      assertThat(bench.state(ENTITY).stamp().versions().system()).isEqualTo(2);
    }
  }

  /**
   * The age of what was looked up counts from when it was asked for, not from the answer; so a look
   * that took long for once is made again, and one that takes what every call takes is not.
   */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_slowAnswer_isLookedUpOnceMore(Style style) throws Exception {
    bench.directory.system(rpm(100));
    Gate gate = new Gate();
    bench.faults.once(Calls.lookups(), Fault.holdReply(gate));
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> begun = caller.begin(request(1));
      gate.awaitArrivals(1); // it has read the old limits
      bench.directory.system(rpm(5));
      bench.advance(501);
      gate.open();
      Await.result(begun);

      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
    }
  }

  private void everyCallTakes(long ms) {
    bench.faults.always(Calls.any(), Fault.before(() -> bench.advance(ms)));
  }

  /** One look, one write: to look once more would take as long and bring nothing newer. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_firstWithAStoreThatTakes150Ms_makesTwoRoundTrips(Style style) {
    bench.directory.system(rpm(100));
    bench.faults.always(Calls.lookups(), Fault.before(() -> bench.advance(150)));
    try (Caller caller = bench.caller(style)) {
      int before = bench.calls.roundTrips(Calls.any());
      caller.acquire(request(1));

      assertThat(bench.calls.roundTrips(Calls.lookups())).isEqualTo(1);
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(1);
      assertThat(bench.calls.roundTrips(Calls.any()) - before)
          .as("the bucket is read beside the records: three calls, two round trips")
          .isEqualTo(3);
    }
  }

  /** What another call looked up is not that new: it counts for 100 ms. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_lookedUpForAnotherCall150MsAgo_isLookedUpOnceMore(Style style) {
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.available(ENTITY, "gpt-4");
      bench.directory.system(rpm(5)); // there is no bucket that could be told
      bench.advance(150);

      caller.acquire(request(1));

      assertThat(limit(ENTITY)).isEqualTo(rpm(5));
    }
  }

  /** Following eight parents one by one takes long; the buckets are made all the same. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_slowStoreAndWrongHint_isGranted(Style style) {
    String[] chain = chain();
    bench.directory.chain(chain);
    bench.directory.hint(ENTITY, "somebody-else");
    bench.directory.system(rpm(100));
    everyCallTakes(30);
    try (Caller caller = bench.caller(style, bench.options().timeout(Duration.ofMinutes(1)))) {
      caller.acquire(request(1));
      for (String entity : chain) {
        assertThat(bench.consumed(entity)).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_storeThatIsAlwaysSlow_isGranted(Style style) {
    bench.directory.chain(chain());
    bench.directory.system(rpm(100));
    everyCallTakes(250);
    try (Caller caller = bench.caller(style, bench.options().timeout(Duration.ofMinutes(1)))) {
      caller.acquire(request(1));
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.consumed("a8")).isEqualTo(1);
      bench.memory.remove(key("a3"));
      bench.memory.remove(key(ENTITY));
      caller.acquire(request(1));
      assertThat(bench.consumed("a3")).isEqualTo(1);
      assertThat(bench.consumed("a8")).isEqualTo(2);
    }
  }

  private static String[] chain() {
    String[] chain = new String[MAX_DEPTH + 1];
    chain[0] = ENTITY;
    for (int i = 1; i <= MAX_DEPTH; i++) {
      chain[i] = "a" + i;
    }
    return chain;
  }
}
