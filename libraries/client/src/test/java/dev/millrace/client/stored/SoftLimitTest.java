package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
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
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Limits that only meter: charged like the others, never a reason to refuse. */
class SoftLimitTest {
  private static final Limit SOFT = rpm(5).asSoft();

  private final HierarchyBench bench = new HierarchyBench();

  static Stream<Arguments> ways() {
    List<Arguments> all = new ArrayList<>();
    for (Style style : Style.values()) {
      for (Consistency consistency : Consistency.values()) {
        all.add(Arguments.of(style, consistency));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_beyondASoftLimit_isGrantedAndCounted(Style style) {
    bench.directory.entity(ENTITY, SOFT);
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < 5; i++) {
        caller.acquire(request(3));
      }
      caller.acquire(request(1_000));
      assertThat(bench.consumed(ENTITY)).isEqualTo(1_015);
      assertThat(bench.limit(key(ENTITY), "rpm").tokensMilli()).isEqualTo(-1_010_000);
      assertThat(caller.tryAcquire(request(1), Duration.ofSeconds(1)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void overdrawn_asItStoodWhenGranted_isOnTheLeaseAndTold(Style style) {
    bench.directory.entity(ENTITY, SOFT, Limit.perMinute("tpm", 100));
    List<LimitStatus> told = new ArrayList<>();
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.Decision decision) {
            told.addAll(decision.overdrawn());
          }
        };
    try (Caller caller = bench.caller(style, bench.options().listener(listener))) {
      AcquireRequest request = request(3).consume("tpm", 1);
      assertThat(caller.acquire(request).overdrawn()).isEmpty();
      assertThat(told).isEmpty();

      Lease lease = caller.acquire(request);

      assertThat(lease.overdrawn())
          .singleElement()
          .satisfies(
              status -> {
                assertThat(status.entityId()).isEqualTo(ENTITY);
                assertThat(status.name()).isEqualTo("rpm");
                assertThat(status.available()).isEqualTo(2);
                assertThat(status.requested()).isEqualTo(3);
                assertThat(status.overdrawn()).isTrue();
                assertThat(status.exceeded()).isFalse();
              });
      assertThat(told).isEqualTo(lease.overdrawn());
      assertThat(caller.acquire(request).overdrawn())
          .extracting(LimitStatus::available)
          .containsExactly(-1L);
      assertThat(caller.metrics().overdrawn()).isEqualTo(2);
    }
  }

  /** A soft limit of an ancestor lets pass, a hard one of the entity refuses. */
  @ParameterizedTest
  @MethodSource("ways")
  void acquire_softAncestor_neverRefuses(Style style, Consistency consistency) {
    bench.directory.chain(ENTITY, "team", "org");
    bench.directory.entity(ENTITY, rpm(10));
    bench.directory.entity("team", SOFT);
    bench.directory.entity("org", rpm(100));
    try (Caller caller = bench.caller(style, bench.options().consistency(consistency))) {
      caller.acquire(request(4));
      assertThat(caller.acquire(request(4)).overdrawn())
          .extracting(LimitStatus::entityId, LimitStatus::available)
          .containsExactly(tuple("team", 1L));
      assertThat(bench.limit(key("team"), "rpm").tokensMilli()).isEqualTo(-3_000);

      assertThat(caller.tryAcquire(request(4)).rejection())
          .hasValueSatisfying(
              rejection -> {
                assertThat(rejection.violations())
                    .extracting(LimitStatus::entityId)
                    .containsExactly(ENTITY);
                assertThat(rejection.statuses())
                    .extracting(LimitStatus::entityId, LimitStatus::overdrawn)
                    .containsExactly(
                        tuple(ENTITY, false), tuple("team", true), tuple("org", false));
              });
      assertThat(bench.consumed("team")).isEqualTo(8);
    }
  }

  /** A limit that becomes hard refuses until its debt is paid. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_softBecomesHard_refusesUntilTheDebtIsPaid(Style style) {
    bench.directory.entity(ENTITY, SOFT);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(10));
      bench.directory.entity(ENTITY, rpm(5));
      bench.refresh(ENTITY);

      assertThat(caller.tryAcquire(request(1)).rejection())
          .hasValueSatisfying(
              rejection -> assertThat(rejection.primary().available()).isEqualTo(-5));
      bench.directory.entity(ENTITY, SOFT);
      bench.refresh(ENTITY);
      bench.advance(1_000);
      assertThat(caller.tryAcquire(request(1)).isGranted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void available_softLimitInDebt_saysSo(Style style) {
    bench.directory.entity(ENTITY, SOFT);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(8));
      assertThat(caller.available(ENTITY, HierarchyBench.RESOURCE).tokens("rpm")).isEqualTo(-3);
      assertThat(caller.timeUntilAvailable(request(1))).contains(Duration.ZERO);
    }
  }
}
