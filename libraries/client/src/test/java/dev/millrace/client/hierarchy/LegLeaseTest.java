package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.RateLimitExceededException;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease on several buckets: what is done to it reaches all of them. */
class LegLeaseTest {
  private static final List<String> CHAIN = List.of(ENTITY, "a1", "a2");
  private static final Limit TPM = Limit.perMinute("tpm", 1_000);

  private final HierarchyBench bench = new HierarchyBench();

  @BeforeEach
  void entities() {
    bench.directory.chain(CHAIN.toArray(String[]::new));
    bench.directory.system(rpm(100), TPM);
    bench.directory.resource("budget", Limit.perMinute("cents", 50));
  }

  private List<Long> consumed() {
    return CHAIN.stream().map(bench::consumed).toList();
  }

  private List<Long> cents() {
    return CHAIN.stream().map(id -> bench.consumed(key(id, "budget"), "cents")).toList();
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_nothingChanged_writesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      assertThat(bench.writes(lease::close)).isZero();
      assertThat(bench.writes(lease::close)).isZero();
      assertThat(consumed()).containsOnly(5L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_adjusted_writesEachBucketOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5).consume("tpm", 100));
      lease.adjust("rpm", 10);
      lease.adjust("tpm", -30);
      lease.adjust("rpm", -7);
      lease.release("tpm", 20);

      assertThat(bench.writes(lease::close)).isEqualTo(3);

      assertThat(consumed()).containsOnly(8L);
      for (String entity : CHAIN) {
        assertThat(bench.consumed(key(entity), "tpm")).isEqualTo(50);
      }
      assertThat(lease.consumed("rpm")).isEqualTo(8);
      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
    }
  }

  /** What cancels itself out is not written. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_adjustedForthAndBack_writesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      lease.adjust("rpm", 3);
      lease.adjust("rpm", -3);
      assertThat(bench.writes(lease::close)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_beyondTheBalance_takesAncestorsBelowZeroToo(Style style) {
    bench.directory.entity("a2", rpm(10));
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      lease.adjust("rpm", 50);
      lease.close();

      assertThat(consumed()).containsOnly(55L);
      assertThat(bench.limit(key("a2"), "rpm").tokensMilli()).isEqualTo(-45_000);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void cancel_severalBuckets_givesAllBack(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      Lease lease = caller.acquire(request(5).and("budget", "cents", 3));
      lease.adjust("rpm", 20);

      assertThat(bench.writes(lease::cancel)).isEqualTo(6);

      assertThat(consumed()).containsOnly(1L);
      assertThat(cents()).containsOnly(0L);
      assertThat(bench.writes(lease::cancel)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void call_bodyThrows_givesAllBack(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () ->
                  caller.call(
                      request(5),
                      lease -> {
                        lease.consume("rpm", 2);
                        throw new IllegalStateException("the body");
                      }));
      assertThat(consumed()).containsOnly(1L);
    }
  }

  /** Each resource of a lease is adjusted by itself. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_oneOfSeveralResources_leavesTheOthersAlone(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5).and("budget", "cents", 3));
      assertThat(lease.consumed("budget", "cents")).isEqualTo(3);
      lease.adjust("budget", "cents", 4);
      lease.release("budget", "cents", 2);

      assertThat(bench.writes(lease::close)).isEqualTo(3);

      assertThat(cents()).containsOnly(5L);
      assertThat(consumed()).containsOnly(5L);
      assertThat(lease.consumed("budget", "cents")).isEqualTo(5);
    }
  }

  /** A further resource may have limits for an ancestor alone: that one is adjusted. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_furtherResourceThatOnlyAnAncestorLimits_reachesIt(Style style) {
    bench.directory.system();
    bench.directory.resource(RESOURCE, rpm(100));
    bench.directory.entityResource("a1", "images", Limit.perMinute("count", 50));
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5).and("images", "count", 3));
      assertThat(lease.consumed("images", "count")).isEqualTo(3);
      lease.adjust("images", "count", 4);
      lease.release("images", "count", 6);
      lease.close();

      assertThat(bench.consumed(key("a1", "images"), "count")).isEqualTo(1);
      assertThat(lease.consumed("images", "count")).isEqualTo(1);
    }
  }

  /**
   * A call reserves a request, and settles the tokens that it has used: the team pays for those.
   */
  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_limitThatTheRequestDidNotNameAndAnAncestorHasAlone_isChargedToBoth(Style style) {
    bench.directory.entity(ENTITY, rpm(100), Limit.perDay("tokens", 1_000_000));
    bench.directory.entity("a1", Limit.perDay("tokens", 100_000));
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(1));
      lease.adjust("tokens", 250_000);
      lease.close();

      assertThat(bench.consumed(key(ENTITY), "tokens")).isEqualTo(250_000);
      assertThat(bench.consumed(key("a1"), "tokens")).isEqualTo(250_000);
      assertThat(
              caller.tryAcquire(AcquireRequest.of("a1", RESOURCE).consume("tokens", 1)).isGranted())
          .isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_whatTheLeaseDoesNotHave_isAnError(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5).and("budget", "cents", 3));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.adjust("images", "count", 1))
          .withMessageContaining("resource 'images' is not one of the lease's");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.adjust("unknown", 1))
          .withMessageContaining("limit 'unknown' is not one of the limits");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.release("budget", "cents", 4))
          .withMessageContaining("no more can be given back than was taken");
      lease.adjust("budget", "unknown", 1); // a further resource has what it has
      assertThat(bench.writes(lease::close)).isZero();
    }
  }

  /** More is taken of everything that the lease draws on by its first resource. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_limitThatAFurtherResourceLacks_doesNothingWhateverItsSign(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5).and("budget", "cents", 3));
      lease.adjust("budget", "unknown", 7);
      lease.adjust("budget", "unknown", -2);
      lease.adjust("budget", "unknown", -20);

      assertThat(bench.writes(lease::close)).isZero();
      assertThat(cents()).containsOnly(3L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void consume_more_chargesAncestorsToo(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5).and("budget", "cents", 3));
      lease.consume("rpm", 2);

      assertThat(consumed()).containsOnly(7L);
      assertThat(cents()).containsOnly(3L);
      assertThat(lease.consumed("rpm")).isEqualTo(7);
      lease.release("rpm", 6);
      assertThat(bench.writes(lease::close)).isEqualTo(3);
      assertThat(consumed()).containsOnly(1L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void consume_anAncestorRefuses_leavesTheLeaseAsItWas(Style style) {
    bench.directory.entity("a1", rpm(6));
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));

      assertThatExceptionOfType(RateLimitExceededException.class)
          .isThrownBy(() -> lease.consume("rpm", 2));

      assertThat(lease.consumed("rpm")).isEqualTo(5);
      assertThat(consumed()).containsOnly(5L);
      lease.cancel();
      assertThat(consumed()).containsOnly(0L);
    }
  }

  /** What was taken from the old parent goes back to it, what from the new one to that. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void consume_afterTheEntityMoved_settlesEachWithItsOwn(Style style) {
    bench.directory.add("new", "a2");
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      bench.directory.move(ENTITY, "new");
      bench.refresh(ENTITY);
      lease.consume("rpm", 3);

      assertThat(lease.consumed("rpm")).isEqualTo(8);
      assertThat(bench.consumed("a1")).isEqualTo(5);
      assertThat(bench.consumed("new")).isEqualTo(3);
      assertThat(bench.consumed("a2")).isEqualTo(8);
      lease.cancel();

      assertThat(consumed()).containsOnly(0L);
      assertThat(bench.consumed("new")).isZero();
    }
  }

  /** Nobody is given back more than it was charged. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void release_afterTheEntityMoved_givesNobodyMoreThanItGave(Style style) {
    bench.directory.add("new", "a2");
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      bench.directory.move(ENTITY, "new");
      bench.refresh(ENTITY);
      lease.consume("rpm", 3);
      lease.release("rpm", 8);
      lease.close();

      assertThat(consumed()).containsOnly(0L);
      assertThat(bench.consumed("new")).isZero();
      assertThat(bench.limit(key("new"), "rpm").tokensMilli()).isEqualTo(100_000);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void toString_lease_namesEntityAndResource(Style style) {
    try (Caller caller = bench.caller(style)) {
      AcquireRequest request = request(5).and("budget", "cents", 3);
      Lease lease = caller.acquire(request);
      assertThat(lease.entityId()).isEqualTo(ENTITY);
      assertThat(lease.resource()).isEqualTo(RESOURCE);
      assertThat(lease.toString()).contains(ENTITY).contains("OPEN");
    }
  }
}
