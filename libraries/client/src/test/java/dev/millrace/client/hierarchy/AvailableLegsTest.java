package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an entity can use is the least of what it and its ancestors have. */
class AvailableLegsTest {
  private final HierarchyBench bench = new HierarchyBench();

  private void entities() {
    bench.directory.chain(ENTITY, "team", "org");
    bench.directory.entity(ENTITY, rpm(100), Limit.perMinute("tpm", 1_000));
    bench.directory.entity("team", rpm(20));
    bench.directory.entity("org", rpm(50), Limit.perMinute("other", 7));
  }

  private static long available(Caller caller) {
    return caller.available(ENTITY, RESOURCE).tokens("rpm");
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void available_ancestors_theLeastCounts(Style style) {
    entities();
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      assertThat(available(caller)).isEqualTo(20);
      assertThat(bench.memory.size()).as("looking makes no bucket").isZero();
      other.acquire(request(5));
      assertThat(available(caller)).isEqualTo(15);
      other.acquire(request("org", 40));
      assertThat(available(caller)).isEqualTo(5);
      assertThat(caller.available(ENTITY, RESOURCE).statuses())
          .extracting(LimitStatus::entityId, LimitStatus::name, LimitStatus::available)
          .containsExactly(
              tuple(ENTITY, "rpm", 95L),
              tuple(ENTITY, "tpm", 1_000L),
              tuple("team", "rpm", 15L),
              tuple("org", "other", 7L),
              tuple("org", "rpm", 5L));
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void available_warm_readsAllBucketsInOneRoundTrip(Style style) {
    entities();
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThat(bench.callsOf(Calls.any(), () -> available(caller)))
          .singleElement()
          .satisfies(
              call ->
                  assertThat(((StoreCall.ReadAll) call).keys())
                      .containsExactly(key(ENTITY), key("team"), key("org")));
      assertThat(
              bench.callsOf(
                  Calls.any(), () -> assertThat(caller.timeUntilAvailable(request(5))).isPresent()))
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void timeUntilAvailable_ancestors_theSlowestCounts(Style style) {
    entities();
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.timeUntilAvailable(request(20))).contains(Duration.ZERO);
      assertThat(caller.timeUntilAvailable(request(21))).as("the team never has 21").isEmpty();
      caller.acquire(request(20));
      // The team earns a token in 3 s, the org has 30 left.
      assertThat(caller.timeUntilAvailable(request(1)).orElseThrow())
          .isBetween(Duration.ofMillis(2_995), Duration.ofMillis(3_005));
      bench.directory.entity("team", rpm(2_000));
      bench.directory.entity("org", Limit.perHour("rpm", 50));
      bench.refresh("team");
      bench.refresh("org");
      caller.invalidate();
      caller.acquire(request(0));
      assertThat(caller.timeUntilAvailable(request(31)).orElseThrow())
          .isBetween(Duration.ofSeconds(71), Duration.ofSeconds(73));
    }
  }

  /** What was looked up a while ago is not told when the bucket knows better. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void available_limitsChanged_tellsTheNewOnes(Style style) {
    entities();
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.entity("team", rpm(5), Limit.perMinute("added", 3));
      bench.refresh("team");

      assertThat(caller.available(ENTITY, RESOURCE).statuses())
          .filteredOn(status -> status.entityId().equals("team"))
          .extracting(LimitStatus::limit)
          .containsExactly(Limit.perMinute("added", 3), rpm(5));
      bench.directory.entity("team", rpm(2));
      bench.refresh("team");
      assertThat(caller.timeUntilAvailable(request(3))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void available_entityMoved_looksAtTheNewParent(Style style) {
    entities();
    bench.directory.add("poor", null);
    bench.directory.entity("poor", rpm(3));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.move(ENTITY, "poor");
      bench.refresh(ENTITY);

      assertThat(available(caller)).isEqualTo(3);
    }
  }

  /** Also of a bucket that was left behind by a deleted entity. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void available_entityDeletedAndMadeAnew_tellsWhatHoldsNow(Style style) {
    entities();
    for (int i = 0; i < 10; i++) {
      bench.directory.entity(ENTITY, rpm(50 + i));
    }
    try (Caller other = bench.caller(style)) {
      other.acquire(request(1));
    }
    bench.memory.remove(RecordKey.Config.ofEntity(HierarchyBench.NAMESPACE, ENTITY));
    bench.directory.delete(ENTITY);
    bench.directory.add(ENTITY, null);
    bench.directory.entity(ENTITY, rpm(5));
    try (Caller caller = bench.caller(style)) {
      assertThat(available(caller)).isEqualTo(5);
      assertThat(available(caller)).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void available_limitsGiven_ancestorsCountWithTheirs(Style style) {
    entities();
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.available(ENTITY, RESOURCE, rpm(7)).tokens("rpm")).isEqualTo(7);
      assertThat(caller.available(ENTITY, RESOURCE, rpm(70)).tokens("rpm")).isEqualTo(20);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> caller.available(ENTITY, RESOURCE).tokens("unknown"))
          .withMessageContaining("unknown");
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void timeUntilAvailable_furtherResources_count(Style style) {
    entities();
    bench.directory.entityResource(ENTITY, "budget", Limit.perMinute("cents", 6));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1).and("budget", "cents", 6));
      assertThat(caller.timeUntilAvailable(request(1).and("budget", "cents", 1)).orElseThrow())
          .isBetween(Duration.ofMillis(9_990), Duration.ofMillis(10_010));
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void available_storeAwayOrNoLimits_isAnError(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThatExceptionOfType(LimiterConfigurationException.class)
          .isThrownBy(() -> caller.available(ENTITY, RESOURCE));
      entities();
      bench.advance(1_000);
      caller.acquire(request(1));
      bench.faults.always(Calls.any(), Fault.unreachable());
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.available(ENTITY, RESOURCE));
      assertThatExceptionOfType(LimiterUnavailableException.class)
          .isThrownBy(() -> caller.timeUntilAvailable(request(1)));
    }
  }
}
