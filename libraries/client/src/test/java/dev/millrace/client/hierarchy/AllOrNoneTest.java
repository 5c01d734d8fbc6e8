package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.AcquireRequest;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When one bucket says no, none is charged, and the answer tells of all of them. */
class AllOrNoneTest {
  private static final List<String> CHAIN = List.of(ENTITY, "a1", "a2", "a3");
  private static final Limit TPM = Limit.perMinute("tpm", 1_000);

  /** What the process knows of the buckets when it is refused. */
  enum Mirror {
    /** It wrote them itself a moment ago. */
    WARM,
    /** It has never seen them. */
    COLD,
    /** It saw them when there was enough, and others have taken it since. */
    STALE,
    /** The same, a moment ago: what it knows is not old, but wrong. */
    OVERTAKEN
  }

  private final HierarchyBench bench = new HierarchyBench();

  static Stream<Arguments> refusals() {
    List<Arguments> all = new ArrayList<>();
    for (Style style : Style.values()) {
      for (Consistency consistency : Consistency.values()) {
        for (Mirror mirror : Mirror.values()) {
          for (String refusing : CHAIN) {
            all.add(Arguments.of(style, consistency, mirror, refusing));
          }
        }
      }
    }
    return all.stream();
  }

  private void entities() {
    bench.directory.chain(CHAIN.toArray(String[]::new));
    for (String entity : CHAIN) {
      bench.directory.entity(entity, rpm(100), TPM);
    }
  }

  /** Three tokens are taken of the limit of five, so that three more do not fit. */
  private Rejection refusal(Style style, Consistency consistency, Mirror mirror) {
    AcquireRequest request = request(3);
    try (Caller caller = bench.caller(style, bench.options().consistency(consistency));
        Caller other = bench.caller(style)) {
      if (mirror != Mirror.COLD) {
        caller.acquire(mirror == Mirror.WARM ? request : request(0));
      }
      if (mirror != Mirror.WARM) {
        other.acquire(request);
      }
      if (mirror == Mirror.STALE) {
        bench.advance(2_000);
      }
      List<Long> before = consumed();
      Rejection rejection = caller.tryAcquire(request).rejection().orElseThrow();
      assertThat(consumed()).as("nobody holds a charge").isEqualTo(before);
      int writes = bench.writes(() -> assertThat(caller.tryAcquire(request).isGranted()).isFalse());
      assertThat(writes).as("what is known is refused at no cost").isZero();
      return rejection;
    }
  }

  private List<Long> consumed() {
    return CHAIN.stream().map(bench::consumed).toList();
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void acquire_oneRefuses_noneIsChargedAndAllAreListed(
      Style style, Consistency consistency, Mirror mirror, String refusing) {
    entities();
    bench.directory.entity(refusing, rpm(5), TPM);

    Rejection rejection = refusal(style, consistency, mirror);

    assertThat(rejection.statuses())
        .extracting(LimitStatus::entityId, LimitStatus::resource, LimitStatus::name)
        .containsExactlyElementsOf(
            CHAIN.stream()
                .flatMap(
                    entity -> Stream.of("rpm", "tpm").map(limit -> tuple(entity, RESOURCE, limit)))
                .toList());
    assertThat(rejection.violations())
        .singleElement()
        .satisfies(
            status -> {
              assertThat(status.entityId()).isEqualTo(refusing);
              assertThat(status.name()).isEqualTo("rpm");
              assertThat(status.available()).isEqualTo(2);
              assertThat(status.requested()).isEqualTo(3);
            });
    // A token comes every 12 seconds, less what has passed already.
    long passedMs = mirror == Mirror.STALE ? 2_000 : 0;
    assertThat(rejection.retryAfterMs()).isBetween(11_990 - passedMs, 12_010 - passedMs);
    assertThat(rejection.passed())
        .filteredOn(status -> status.name().equals("rpm"))
        .allSatisfy(status -> assertThat(status.requested()).isEqualTo(3));
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_severalRefuse_retryAfterIsThatOfTheSlowest(Style style) {
    entities();
    bench.directory.entity("a1", rpm(5), TPM);
    bench.directory.entity("a3", Limit.perHour("rpm", 5), TPM);
    for (Mirror mirror : List.of(Mirror.COLD, Mirror.WARM)) {
      bench.memory.remove(key("a1"));
      bench.memory.remove(key("a3"));
      Rejection rejection = refusal(style, Consistency.PARALLEL, mirror);

      assertThat(rejection.violations())
          .extracting(LimitStatus::entityId)
          .containsExactly("a1", "a3");
      assertThat(rejection.primary().entityId()).isEqualTo("a3");
      assertThat(rejection.retryAfterMs()).isBetween(719_000L, 721_000L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_furtherResourceRefuses_noneIsCharged(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.resource(RESOURCE, rpm(100));
    bench.directory.resource("budget", Limit.perMinute("cents", 50));
    bench.directory.entityResource("team", "budget", Limit.perMinute("cents", 5));
    AcquireRequest request = request(1).and("budget", "cents", 3);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request);

      Rejection rejection = caller.tryAcquire(request).rejection().orElseThrow();

      assertThat(rejection.statuses())
          .extracting(LimitStatus::entityId, LimitStatus::resource, LimitStatus::exceeded)
          .containsExactly(
              tuple(ENTITY, RESOURCE, false),
              tuple("team", RESOURCE, false),
              tuple(ENTITY, "budget", false),
              tuple("team", "budget", true));
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.consumed("team")).isEqualTo(1);
      assertThat(bench.consumed(key(ENTITY, "budget"), "cents")).isEqualTo(3);
    }
  }

  /** More than an ancestor can ever hold is refused for ever. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_moreThanAnAncestorHolds_isNeverGranted(Style style) {
    entities();
    bench.directory.entity("a2", rpm(5), TPM);
    try (Caller caller = bench.caller(style)) {
      Rejection rejection = caller.tryAcquire(request(6)).rejection().orElseThrow();

      assertThat(rejection.retryAfter()).isEmpty();
      assertThat(rejection.retryAfterMs()).isEqualTo(LimitStatus.NEVER);
      assertThat(bench.exists(ENTITY) ? bench.consumed(ENTITY) : 0).isZero();
    }
  }

  /** Who waits for its parent's tokens gets them when they are there. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_willingToWaitForAnAncestor_isServedWhenItHasEnough(Style style) throws Exception {
    entities();
    bench.directory.entity("a2", rpm(5), TPM);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(5));
      CompletableFuture<Lease> waiting = caller.begin(request(1), Duration.ofMinutes(1));
      bench.clock.awaitSleepers(1);
      bench.advance(11_000);
      assertThat(waiting).isNotDone();
      bench.advance(1_100);

      Await.result(waiting);
      assertThat(consumed()).containsOnly(6L);
    }
  }

  /** What is given back goes with the writes of others, and is there when the answer is. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_refusedAfterACharge_theListenerHearsOfIt(Style style) {
    entities();
    bench.directory.entity("a3", rpm(5), TPM);
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      caller.acquire(request(0));
      other.acquire(request(4));
      bench.calls.clear();

      assertThat(caller.tryAcquire(request(3)).isGranted()).isFalse();

      assertThat(caller.metrics().givenBack()).isEqualTo(3);
      assertThat(bench.calls.roundTrips(Calls.writes())).isBetween(6, 8);
      assertThat(consumed()).containsOnly(4L);
    }
  }
}
