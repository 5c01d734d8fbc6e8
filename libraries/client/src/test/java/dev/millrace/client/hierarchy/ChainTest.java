package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which buckets a request draws on. */
class ChainTest {
  private static final int MAX_DEPTH = 8;

  private final HierarchyBench bench = new HierarchyBench();

  static Stream<Arguments> depths() {
    List<Arguments> all = new ArrayList<>();
    for (Style style : Style.values()) {
      for (int depth = 1; depth <= MAX_DEPTH; depth++) {
        all.add(Arguments.of(style, depth));
      }
    }
    return all.stream();
  }

  private String[] chain(int depth) {
    String[] chain = new String[depth + 1];
    chain[0] = ENTITY;
    for (int i = 1; i <= depth; i++) {
      chain[i] = "a" + i;
    }
    bench.directory.chain(chain);
    return chain;
  }

  @ParameterizedTest
  @MethodSource("depths")
  void acquire_ancestors_allAreCharged(Style style, int depth) {
    String[] chain = chain(depth);
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(2));
      caller.acquire(request(3));

      for (String entity : chain) {
        assertThat(bench.consumed(entity)).as(entity).isEqualTo(5);
      }
    }
  }

  /** A ninth ancestor cannot be made; should there be one all the same, it is passed over. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_nineAncestors_eightAreCharged(Style style) {
    chain(MAX_DEPTH + 1);
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      caller.acquire(request(1));

      assertThat(bench.consumed("a8")).isEqualTo(2);
      assertThat(bench.exists("a9")).isFalse();
    }
  }

  /** The most specific word counts: entity and resource, then the resource, then the entity. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_cascadeSaidInSeveralPlaces_theMostSpecificCounts(Style style) {
    chain(1);
    bench.directory.system(rpm(100));
    assertDraws(style, true);
    bench.directory.cascade(ENTITY, false);
    assertDraws(style, false);
    bench.directory.cascadeOfResource(RESOURCE, true);
    assertDraws(style, true);
    bench.directory.cascadeOfEntityResource(ENTITY, RESOURCE, false);
    assertDraws(style, false);
    bench.directory.cascade(ENTITY, true);
    assertDraws(style, false);
    bench.directory.cascadeOfResource(RESOURCE, false);
    bench.directory.cascadeOfEntityResource(ENTITY, RESOURCE, true);
    assertDraws(style, true);
    bench.directory.cascadeOfEntityResource(ENTITY, RESOURCE, null);
    assertDraws(style, false);
    bench.directory.cascadeOfResource(RESOURCE, null);
    assertDraws(style, true);
  }

  private void assertDraws(Style style, boolean onTheParent) {
    long before = bench.exists("a1") ? bench.consumed("a1") : 0;
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      caller.acquire(request(1));
    }
    long after = bench.exists("a1") ? bench.consumed("a1") : 0;
    assertThat(after - before).isEqualTo(onTheParent ? 2 : 0);
  }

  /** Each entity says for itself whether it draws on its parent. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_cascadeEndsHalfway_thoseAboveAreLeftAlone(Style style) {
    chain(4);
    bench.directory.system(rpm(100));
    bench.directory.cascade("a2", false);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      caller.acquire(request(1));

      assertThat(bench.consumed("a2")).isEqualTo(2);
      assertThat(bench.exists("a3")).isFalse();
      assertThat(bench.exists("a4")).isFalse();
    }
  }

  /** An ancestor is charged for those of the named limits that it has, at no additional cost. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentWithOtherLimits_isChargedForThoseItHas(Style style) {
    chain(3);
    bench.directory.entity(ENTITY, rpm(100), Limit.perMinute("tpm", 1_000));
    bench.directory.entity("a1", Limit.perMinute("tpm", 5_000), Limit.perMinute("other", 1));
    bench.directory.entity("a2", Limit.perMinute("other", 1));
    try (Caller caller = bench.caller(style)) {
      AcquireRequest request = request(1).consume("tpm", 10);
      caller.acquire(request);

      assertThat(bench.writes(() -> caller.acquire(request))).isEqualTo(2);

      assertThat(bench.consumed(key("a1"), "tpm")).isEqualTo(20);
      assertThat(bench.consumed(key("a1"), "other")).isZero();
      assertThat(bench.state("a1").find("rpm")).isNull();
      assertThat(bench.exists("a2")).as("has none of the named limits").isFalse();
      assertThat(bench.exists("a3")).as("has no limits at all").isFalse();
    }
  }

  /** The refusal of such a parent is a refusal like any other. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentWithOtherLimitsExhausted_isRefusedByName(Style style) {
    chain(1);
    bench.directory.entity(ENTITY, rpm(100), Limit.perMinute("tpm", 1_000));
    bench.directory.entity("a1", Limit.perMinute("tpm", 15));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1).consume("tpm", 10));

      assertThat(caller.tryAcquire(request(1).consume("tpm", 10)).rejection())
          .hasValueSatisfying(
              rejection -> {
                assertThat(rejection.primary().entityId()).isEqualTo("a1");
                assertThat(rejection.primary().name()).isEqualTo("tpm");
                assertThat(rejection.statuses()).hasSize(3);
              });
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }

  /** Limits on the call are those of the entity; its ancestors keep theirs. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitsOnTheCall_leaveAncestorsTheirs(Style style) {
    chain(1);
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1).limits(rpm(7)));

      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(7));
      assertThat(bench.limit(key("a1"), "rpm").limit()).isEqualTo(rpm(100));
      assertThat(bench.consumed("a1")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentThatIsNotThere_drawsOnWhatHoldsForEverybody(Style style) {
    bench.directory.add(ENTITY, "ghost");
    bench.directory.resource(RESOURCE, rpm(100));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.consumed("ghost")).isEqualTo(1);
    }
  }

  /** The administration refuses circles; one that is there all the same charges nobody twice. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_parentsInACircle_eachIsChargedOnce(Style style) {
    chain(2);
    bench.directory.move("a2", ENTITY);
    bench.directory.add("self", "self");
    bench.directory.system(rpm(100));
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < 2; i++) {
        caller.acquire(request(1));
        caller.acquire(request("self", 1));
      }
      for (String entity : List.of(ENTITY, "a1", "a2", "self")) {
        assertThat(bench.consumed(entity)).as(entity).isEqualTo(2);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_severalResources_eachIsCharged(Style style) {
    bench.directory.resource(RESOURCE, rpm(100));
    bench.directory.resource("budget", Limit.perMinute("cents", 50));
    bench.directory.resource("images", Limit.perMinute("count", 50));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(
          request(1)
              .and("budget", "cents", 3)
              .and("images", Map.of("count", 2L, "unknown", 5L))
              .and("free", "anything", 1));

      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.consumed(key(ENTITY, "budget"), "cents")).isEqualTo(3);
      assertThat(bench.consumed(key(ENTITY, "images"), "count")).isEqualTo(2);
      assertThat(bench.memory.snapshot(key(ENTITY, "free"))).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_severalResourcesWithAncestors_eachDrawsOnThemByItself(Style style) {
    chain(2);
    bench.directory.system(rpm(100), Limit.perMinute("cents", 50));
    bench.directory.cascadeOfResource("budget", false);
    AcquireRequest request =
        request(1).and("budget", "cents", 3).and("images", LimitSet.of(rpm(9)), Map.of("rpm", 2L));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request);
      assertThat(bench.writes(() -> caller.acquire(request))).isEqualTo(3 + 1 + 3);

      for (String entity : List.of(ENTITY, "a1", "a2")) {
        assertThat(bench.consumed(entity)).isEqualTo(2);
        assertThat(bench.consumed(key(entity, "images"), "rpm")).isEqualTo(4);
      }
      assertThat(bench.limit(key(ENTITY, "images"), "rpm").limit()).isEqualTo(rpm(9));
      assertThat(bench.limit(key("a1", "images"), "rpm").limit()).isEqualTo(rpm(100));
      assertThat(bench.consumed(key(ENTITY, "budget"), "cents")).isEqualTo(6);
      assertThat(bench.memory.snapshot(key("a1", "budget"))).isNull();
    }
  }

  /** Eight resources and eight ancestors: as much as a request can ask for. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_asMuchAsPossible_isCharged(Style style) {
    String[] chain = chain(MAX_DEPTH);
    bench.directory.system(rpm(100));
    AcquireRequest request = request(1);
    for (int i = 1; i < AcquireRequest.MAX_RESOURCES; i++) {
      request = request.and("r" + i, "rpm", 1);
    }
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request);

      assertThat(bench.memory.size()).isEqualTo(AcquireRequest.MAX_RESOURCES * (MAX_DEPTH + 1));
      for (String entity : chain) {
        assertThat(bench.consumed(key(entity, "r7"), "rpm")).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_wrongNames_areToldBeforeAnythingIsSent(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> caller.acquire(request(1).and(RESOURCE, "rpm", 1)))
          .withMessageContaining("named twice");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> caller.acquire(request(1).and("budget", Map.of())))
          .withMessageContaining("consumes nothing");
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  caller.acquire(
                      request(1).and("budget", LimitSet.of(rpm(1)), Map.of("cents", 1L))))
          .withMessageContaining("limit 'cents' is not one of the limits");
      assertThat(bench.calls.roundTrips()).isZero();
    }
  }
}
