package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Rounds;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How often the store is asked, and what is asked at the same time. */
class RoundTripsTest {
  private static final int MAX_DEPTH = 8;

  private final HierarchyBench bench = new HierarchyBench();

  static Stream<Arguments> depths() {
    List<Arguments> all = new ArrayList<>();
    for (Style style : Style.values()) {
      for (int depth : new int[] {1, 3, MAX_DEPTH}) {
        all.add(Arguments.of(style, depth));
      }
    }
    return all.stream();
  }

  private void chain(int depth) {
    String[] chain = new String[depth + 1];
    chain[0] = ENTITY;
    for (int i = 1; i <= depth; i++) {
      chain[i] = "a" + i;
    }
    bench.directory.chain(chain);
    bench.directory.system(rpm(1_000), Limit.perMinute("cents", 50));
  }

  private void atTheSameTime(int... rounds) {
    bench.faults.always(Calls.any(), Rounds.of(rounds));
  }

  /** All writes in one round trip, and nothing else. */
  @ParameterizedTest
  @MethodSource("depths")
  void acquire_warmWithAncestors_writesAllAtOnceAndReadsNothing(Style style, int depth) {
    chain(depth);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      atTheSameTime(depth + 1);

      assertThat(bench.callsOf(Calls.any(), () -> caller.acquire(request(1))))
          .hasSize(depth + 1)
          .allMatch(Calls.writes());
      assertThat(bench.consumed("a" + depth)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_warmWithSeveralResources_writesAllAtOnce(Style style) {
    chain(2);
    AcquireRequest request = request(1).and("budget", "cents", 1);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request);
      atTheSameTime(6);

      assertThat(bench.callsOf(Calls.any(), () -> caller.acquire(request)))
          .hasSize(6)
          .allMatch(Calls.writes());
    }
  }

  /** Settling reaches all of them at once, too. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_adjustedLease_writesAllAtOnce(Style style) {
    chain(3);
    try (Caller caller = bench.caller(style)) {
      var lease = caller.acquire(request(5));
      lease.adjust("rpm", -2);
      atTheSameTime(4);
      lease.close();
    }
    assertThat(bench.consumed("a3")).isEqualTo(3);
  }

  /** Three round trips, however many ancestors: the entity, the ancestors, the writes. */
  @ParameterizedTest
  @MethodSource("depths")
  void acquire_cold_takesThreeRounds(Style style, int depth) {
    chain(depth);
    Rounds rounds = Rounds.of(2, 2, depth + 1);
    bench.faults.always(Calls.any(), rounds);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(rounds.size()).isEqualTo(4 + depth + 1);
    assertThat(rounds.round(0))
        .anyMatch(Calls.lookups())
        .anyMatch(StoreCall.Read.class::isInstance);
    assertThat(rounds.round(1)).anyMatch(Calls.lookups()).anyMatch(Calls.reads());
    assertThat(rounds.round(2)).allMatch(Calls.writes());
    assertThat(bench.consumed("a" + depth)).isEqualTo(1);
  }

  /** Buckets that are there already are read in the same rounds. */
  @ParameterizedTest
  @MethodSource("depths")
  void acquire_newProcess_takesThreeRounds(Style style, int depth) {
    chain(depth);
    try (Caller other = bench.caller(style)) {
      other.acquire(request(1));
    }
    atTheSameTime(2, 2, depth + 1);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(bench.consumed(ENTITY)).isEqualTo(2);
    assertThat(bench.consumed("a" + depth)).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_coldWithoutParent_takesTwoRounds(Style style) {
    bench.directory.system(rpm(1_000));
    atTheSameTime(2, 1);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
    }
    assertThat(bench.consumed(ENTITY)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_coldWithSeveralResources_takesThreeRounds(Style style) {
    chain(2);
    atTheSameTime(2, 2, 6);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1).and("budget", "cents", 1));
    }
    assertThat(bench.consumed(key("a2", "budget"), "cents")).isEqualTo(1);
  }

  /** After a minute everything is looked up again, all of it in one look. */
  @ParameterizedTest
  @MethodSource("depths")
  void acquire_whenAllIsOld_renewsInOneRound(Style style, int depth) {
    chain(depth);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.advance(60_000);
      atTheSameTime(1, depth + 1);
      caller.acquire(request(1));
    }
    assertThat(bench.consumed("a" + depth)).isEqualTo(2);
  }

  /** A bucket that is ahead costs the refused write, one look, and the writes once more. */
  @ParameterizedTest
  @MethodSource("depths")
  void acquire_behind_takesAFewRounds(Style style, int depth) {
    chain(depth);
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.directory.system(rpm(500), Limit.perMinute("cents", 50));
      bench.refresh(ENTITY);
      for (int i = 1; i <= depth; i++) {
        bench.refresh("a" + i);
      }
      atTheSameTime(depth + 1, 1, depth + 1);
      caller.acquire(request(1));
    }
    assertThat(bench.consumed("a" + depth)).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("depths")
  void acquire_hintOfOtherAncestors_isNotBelieved(Style style, int depth) {
    chain(depth);
    bench.directory.hint(ENTITY, "a1", "gone", "b3");
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));

      for (int i = 1; i <= depth; i++) {
        assertThat(bench.consumed("a" + i)).isEqualTo(1);
      }
      assertThat(bench.exists("gone")).isFalse();
      assertThat(bench.exists("b3")).isFalse();
      assertThat(bench.callsOf(Calls.any(), () -> caller.acquire(request(1))))
          .hasSize(depth + 1)
          .allMatch(Calls.writes());
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_hintWithoutTheParent_isNotBelieved(Style style) {
    chain(3);
    bench.directory.hint(ENTITY, "b1", "b2");
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThat(bench.consumed("a3")).isEqualTo(1);
      assertThat(bench.exists("b1")).isFalse();
    }
  }
}
