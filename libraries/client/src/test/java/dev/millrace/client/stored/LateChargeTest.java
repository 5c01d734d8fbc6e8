package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A lease that outlives its bucket makes it again when it settles, with the limits that it began
 * with. What was changed meanwhile found no bucket, so that one must not count as up to date.
 */
class LateChargeTest {
  private final HierarchyBench bench = new HierarchyBench();

  @BeforeEach
  void limits() {
    bench.directory.add(ENTITY, null);
    bench.directory.entity(ENTITY, rpm(1_000));
  }

  /** Leaves a bucket that a late charge has made after {@code change}. */
  private void chargeLate(Caller caller, Runnable change) {
    Lease lease = caller.acquire(request(1));
    lease.adjust("rpm", 2);
    bench.memory.remove(key(ENTITY));
    change.run();
    bench.refresh(ENTITY);
    lease.close();
    assertThat(bench.consumed(ENTITY)).isEqualTo(2);
    bench.advance(1_000); // what was looked up is not new any more
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitLoweredWhileTheBucketWasGone_holdsForAStaleProcess(Style style) {
    try (Caller caller = bench.caller(style)) {
      chargeLate(caller, () -> bench.directory.entity(ENTITY, rpm(10)));

      int admitted = 0;
      while (admitted < 100 && caller.tryAcquire(request(1)).isGranted()) {
        admitted++;
      }

      assertThat(admitted).isLessThanOrEqualTo(10);
      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(10));
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_switchedOffWhileTheBucketWasGone_isDisabledForAStaleProcess(Style style) {
    try (Caller caller = bench.caller(style)) {
      chargeLate(caller, () -> bench.directory.switchEntity(ENTITY, false));

      assertThat(caller.tryAcquire(request(1)).isDisabled()).isTrue();
    }
  }
}
