package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that was idle on one entity has old records of the entity in its cache and new ones of
 * the namespace. The sum of their versions may be greater than that of a bucket that follows the
 * entity's latest change; it must not be written into that bucket for all that.
 */
class StaleRecordsTest {
  /** How long the process goes on with the records of the entity that it has. */
  private static final long STALE_MS = 43_000;

  private static final long ASK_EVERY_MS = 25;

  private final HierarchyBench bench = new HierarchyBench();

  /**
   * A process whose cache holds the records of the namespace and of the resource for 43 s less than
   * those of the entity, and that then asks no more.
   */
  private Caller idleProcess(Style style) {
    bench.directory.add("other", null);
    Caller idle = bench.caller(style);
    idle.acquire(request(1));
    bench.advance(17_000);
    idle.acquire(request("other", 1)); // reads all records about a bucket that it has not seen
    bench.advance(43_000);
    idle.acquire(request(1)); // reads what is a minute old: the records of the entity
    bench.advance(1_000);
    return idle;
  }

  /** Changes that a stronger level keeps from the bucket; the process learns of them. */
  private void twoChangesThatDoNotConcernTheBucket() {
    bench.directory.system(rpm(5_000));
    bench.directory.resource(RESOURCE, rpm(6_000));
    bench.advance(16_000); // now those records are a minute old
  }

  private long admitted(Caller caller) {
    long admitted = 0;
    for (long ms = 0; ms < STALE_MS; ms += ASK_EVERY_MS) {
      admitted += caller.tryAcquire(request(1)).isGranted() ? 1 : 0;
      bench.advance(ASK_EVERY_MS);
    }
    return admitted;
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitOfTheEntityLowered_holdsForAnIdleProcessToo(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(1_000));
    bench.directory.entity(ENTITY, rpm(1_000));
    try (Caller idle = idleProcess(style);
        Caller other = bench.caller(style)) {
      bench.directory.entity(ENTITY, rpm(10));
      bench.refresh(ENTITY);
      twoChangesThatDoNotConcernTheBucket();

      long admitted = admitted(idle);

      assertThat(admitted).isEqualTo(10 + STALE_MS * 10 / 60_000); // the burst, and what is earned
      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(10));
      assertThat(other.tryAcquire(request(9)).isGranted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_entitySwitchedOff_staysOffForAnIdleProcessToo(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(1_000));
    bench.directory.entity(ENTITY, rpm(1_000));
    try (Caller idle = idleProcess(style);
        Caller other = bench.caller(style)) {
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      twoChangesThatDoNotConcernTheBucket();

      assertThat(admitted(idle)).isZero();
      assertThat(bench.state(ENTITY).stamp().disabled()).isTrue();
      assertThat(other.tryAcquire(request(1)).isDisabled()).isTrue();
    }
  }

  /** One region gives the other 40 of 100 parts; together they enforce the whole, and no more. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_shareGivenToAnotherRegion_isNotTakenBackByAnIdleProcess(Style style) {
    HierarchyBench receiver = new HierarchyBench();
    for (HierarchyBench region : new HierarchyBench[] {bench, receiver}) {
      region.directory.add(ENTITY, null);
      region.directory.system(rpm(1_000));
      share(region, 500);
    }
    try (Caller idle = idleProcess(style);
        Caller there = receiver.caller(style)) {
      there.acquire(request(1));
      share(bench, 100);
      bench.refresh(ENTITY);
      share(receiver, 900);
      receiver.refresh(ENTITY);
      twoChangesThatDoNotConcernTheBucket();

      idle.tryAcquire(request(1));
      there.tryAcquire(request(1));

      assertThat(enforced(bench) + enforced(receiver)).isEqualTo(1_000);
    }
  }

  private void share(HierarchyBench region, long part) {
    RecordKey.Config pair =
        RecordKey.Config.ofEntityResource(HierarchyBench.NAMESPACE, ENTITY, RESOURCE);
    ConfigRecord before = (ConfigRecord) region.memory.record(pair);
    region.memory.put(
        (before == null ? ConfigRecord.empty(pair) : before)
            .withShared(LimitSet.of(rpm(1_000)), LimitSet.of(rpm(part))));
  }

  private static long enforced(HierarchyBench region) {
    return region.limit(key(ENTITY), "rpm").limit().capacityMilli() / Limit.MILLI;
  }
}
