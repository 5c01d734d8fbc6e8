package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Directory;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many who need the same at once do not all ask for it. */
class HerdTest {
  private static final int CALLERS = 1_000;
  private static final int FEWER_CALLERS = 100;
  private static final int A_HANDFUL = 4;
  private static final long MINUTE_MS = 60_000;
  private static final Duration PATIENT = Duration.ofSeconds(30);

  private final HierarchyBench bench = new HierarchyBench();

  private List<CompletableFuture<Lease>> begin(Caller caller, AcquireRequest request, int callers) {
    List<CompletableFuture<Lease>> begun = new ArrayList<>(callers);
    for (int i = 0; i < callers; i++) {
      begun.add(caller.begin(request));
    }
    return begun;
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_aThousandColdCallers_oneLooksUp(Style style) throws Exception {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(10_000));
    Gate gate = new Gate();
    bench.faults.always(Calls.lookups(), Fault.holdReply(gate));
    // A thousand threads take their time to start on a busy machine; how long is not asked here.
    try (Caller caller = bench.caller(style, bench.options().timeout(PATIENT))) {
      CompletableFuture<Lease> first = caller.begin(request(1));
      gate.awaitArrivals(1);
      List<CompletableFuture<Lease>> others = begin(caller, request(1), CALLERS - 1);

      gate.open();

      Await.result(first);
      others.forEach(Await::result);
      assertThat(bench.calls.roundTrips(Calls.lookups())).isLessThanOrEqualTo(A_HANDFUL);
      assertThat(bench.consumed(ENTITY)).isEqualTo(CALLERS);
      assertThat(bench.consumed("team")).isEqualTo(CALLERS);
    }
  }

  /** At expiry one renews, the others go on with what they have. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_whenWhatIsKnownExpires_oneRenewsAndTheOthersGoOn(Style style) throws Exception {
    bench.directory.chain(ENTITY, "team");
    bench.directory.system(rpm(10_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.advance(MINUTE_MS);
      Gate gate = new Gate();
      bench.faults.once(Calls.lookups(), Fault.holdReply(gate));
      int before = bench.calls.roundTrips(Calls.lookups());
      CompletableFuture<Lease> renews = caller.begin(request(1));
      gate.awaitArrivals(1);

      for (int i = 0; i < FEWER_CALLERS; i++) {
        caller.acquire(request(1)); // does not wait
      }

      assertThat(bench.calls.roundTrips(Calls.lookups())).isEqualTo(before + 1);
      assertThat(renews).isNotDone();
      gate.open();
      Await.result(renews);
      assertThat(bench.consumed("team")).isEqualTo(FEWER_CALLERS + 2);
    }
  }

  /** A parent has many children, a namespace has many entities: one renews what they share. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_whenWhatManyShareExpires_oneRenewsIt(Style style) throws Exception {
    bench.directory.add("org", null);
    bench.directory.system(rpm(10_000));
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < FEWER_CALLERS; i++) {
        bench.directory.add("key-" + i, "org");
        caller.acquire(request("key-" + i, 1));
      }
      bench.advance(MINUTE_MS);
      Gate gate = new Gate();
      bench.faults.once(Calls.lookups(), Fault.holdReply(gate));
      bench.calls.clear();
      CompletableFuture<Lease> renews = caller.begin(request("key-0", 1));
      gate.awaitArrivals(1);

      for (int i = 1; i < FEWER_CALLERS; i++) {
        caller.acquire(request("key-" + i, 1)); // does not wait
      }

      gate.open();
      Await.result(renews);
      assertThat(bench.consumed("org")).isEqualTo(2 * FEWER_CALLERS);
      assertThat(bench.calls.roundTrips(Calls.lookups())).isEqualTo(FEWER_CALLERS);
      for (RecordKey shared :
          List.of(
              new RecordKey.Entity(HierarchyBench.NAMESPACE, "org"),
              RecordKey.Config.ofSystem(HierarchyBench.NAMESPACE),
              new RecordKey.NamespaceById(HierarchyBench.NAMESPACE),
              new RecordKey.Schema())) {
        assertThat(bench.calls.roundTrips(Calls.lookupsOf(shared))).as("%s", shared).isEqualTo(1);
      }
    }
  }

  /** A wrong request during a renewal is judged by what that brings, and told like any other. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_unknownLimitDuringARenewal_isJudgedByWhatItBrings(Style style) throws Exception {
    bench.directory.system(rpm(10_000));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.advance(MINUTE_MS);
      Gate gate = new Gate();
      bench.faults.once(Calls.lookups(), Fault.holdRequest(gate));
      CompletableFuture<Lease> renews = caller.begin(request(1));
      gate.awaitArrivals(1);
      CompletableFuture<Lease> added = caller.begin(request(1).consume("tpm", 1));
      CompletableFuture<Lease> unknown = caller.begin(request(1).consume("unknown", 1));
      bench.directory.system(rpm(10_000), Limit.perMinute("tpm", 100));
      gate.open();

      Await.result(renews);
      Await.result(added);
      assertThat(failureOf(unknown))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("limit 'unknown' is not one of the limits");
      assertThat(bench.consumed(ENTITY)).isEqualTo(3);
    }
  }

  /** Those who waited for a look-up that failed do not all try again. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_lookUpFails_whoWaitedForItDoesNotAskAgain(Style style) throws Exception {
    bench.directory.system(rpm(10_000));
    Gate gate = new Gate();
    bench.faults.once(
        Calls.lookups(),
        (call, proceed) ->
            Fault.holdRequest(gate).around(call, () -> Fault.throttle().around(call, proceed)));
    bench.faults.always(Calls.lookups(), Fault.throttle());
    try (Caller caller = bench.caller(style)) {
      CompletableFuture<Lease> first = caller.begin(request(1));
      gate.awaitArrivals(1);
      List<CompletableFuture<Lease>> others = begin(caller, request(1), FEWER_CALLERS);
      gate.open();

      for (CompletableFuture<Lease> other : others) {
        assertThat(failureOf(other)).isInstanceOf(LimiterUnavailableException.class);
      }
      assertThat(failureOf(first)).isInstanceOf(LimiterUnavailableException.class);
      assertThat(bench.calls.roundTrips(Calls.lookups())).isLessThanOrEqualTo(A_HANDFUL);
    }
  }

  /** With a namespace whose id must be found first it is the same. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_unknownNamespaceId_oneLooksItUp(Style style) throws Exception {
    Namespaces.register(bench.memory, "prod", "n1");
    new Directory(bench.memory, "n1").system(rpm(10_000));
    Gate gate = new Gate();
    bench.faults.always(Calls.lookups(), Fault.holdReply(gate));
    try (Caller caller = bench.caller(style, bench.options().namespace("prod"))) {
      CompletableFuture<Lease> first = caller.begin(request(1));
      gate.awaitArrivals(1);
      List<CompletableFuture<Lease>> others = begin(caller, request(1), FEWER_CALLERS);
      gate.open();

      Await.result(first);
      others.forEach(Await::result);
      assertThat(bench.calls.roundTrips(Calls.lookups())).isLessThanOrEqualTo(A_HANDFUL);
    }
  }

  private static Throwable failureOf(CompletableFuture<?> future) {
    try {
      Await.result(future);
    } catch (RuntimeException e) {
      return e;
    }
    throw new AssertionError("did not fail");
  }
}
