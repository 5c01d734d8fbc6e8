package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.Lease;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Records that a bucket follows are not there any more, or are older: the safe side is to refuse.
 */
class SetBackTest {
  private final HierarchyBench bench = new HierarchyBench();

  private static void assertSetBack(Caller caller) {
    assertThatExceptionOfType(LimiterUnavailableException.class)
        .isThrownBy(() -> caller.acquire(request(1)))
        .satisfies(
            e ->
                assertThat(e.attributes())
                    .containsEntry("failure", StoreFailure.Kind.SET_BACK)
                    .containsEntry("mayBeCharged", false));
  }

  /** The entity's limits were changed twice and are back at what they were first. */
  private void setBack() {
    bench.directory.add(ENTITY, null);
    bench.directory.entity(ENTITY, rpm(50));
    bench.directory.entity(ENTITY, rpm(5));
    try (Caller other = bench.caller(Style.BLOCKING)) {
      other.acquire(request(1));
    }
    bench.memory.remove(RecordKey.Config.ofEntity(HierarchyBench.NAMESPACE, ENTITY));
    bench.directory.entity(ENTITY, rpm(50));
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_recordsOlderThanTheBucket_isRefusedWhateverThePolicy(Style style) {
    setBack();
    try (Caller caller = bench.caller(style);
        Caller allows = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      assertSetBack(caller);
      assertSetBack(caller);
      assertSetBack(allows);

      assertThat(caller.metrics().configsSetBack()).isEqualTo(2);
      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(5));
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(bench.state(ENTITY).stamp().versions())
          .isEqualTo(new RecordVersions(1, 0, 2, 0, 0));
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketDeletedByAnOperator_followsWhatIsStored(Style style) {
    setBack();
    try (Caller caller = bench.caller(style)) {
      assertSetBack(caller);
      bench.memory.remove(key(ENTITY));
      bench.advance(1_000); // until then this process remembers what the bucket followed

      caller.acquire(request(1));

      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(50));
      assertThat(caller.metrics().configsSetBack()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_limitsChangedAsOftenAsTheBucketKnows_followsThem(Style style) {
    setBack();
    try (Caller caller = bench.caller(style)) {
      assertSetBack(caller);
      bench.directory.entity(ENTITY, rpm(7));

      caller.acquire(request(1));

      assertThat(bench.limit(key(ENTITY), "rpm").limit()).isEqualTo(rpm(7));
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_recordsOlderThanABucketThatIsOff_isDisabled(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(50));
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      caller.acquire(request(1));
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      bench.directory.lose(ENTITY);
      bench.directory.add(ENTITY, null);

      assertThat(caller.tryAcquire(request(1)).isDisabled()).isTrue();
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
      assertThat(caller.metrics().configsSetBack()).isEqualTo(1);
    }
  }

  /** The bucket has told that it is off; that nothing more can be learned changes nothing. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_bucketOffAndTheRecordsCannotBeLookedUp_isDisabledAlthoughAllowed(Style style) {
    bench.directory.add(ENTITY, null);
    bench.directory.system(rpm(50));
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.ALLOW))) {
      caller.acquire(request(1));
      bench.directory.switchEntity(ENTITY, false);
      bench.refresh(ENTITY);
      bench.faults.always(Calls.lookups(), Fault.throttle());

      assertThat(caller.tryAcquire(request(1)).isDisabled()).isTrue();
      assertThat(bench.consumed(ENTITY)).isEqualTo(1);
    }
  }

  /** A change that concerns every bucket does not make a process look up all of them at once. */
  @Test
  void acquire_manyBucketsAheadAtOnce_areLookedUpSoManyAtATime() throws Exception {
    int entities = 300;
    int most = 256;
    bench.directory.system(rpm(1_000));
    try (Caller caller = bench.caller(Style.ASYNC)) {
      for (int i = 0; i < entities; i++) {
        caller.acquire(request("e" + i, 1));
      }
      bench.directory.system(rpm(2_000));
      for (int i = 0; i < entities; i++) {
        bench.directory.refresh("e" + i, RESOURCE, bench.clock.nowMs());
      }
      Gate gate = new Gate();
      bench.faults.always(Calls.lookups(), Fault.holdReply(gate));
      List<CompletableFuture<Lease>> begun = new ArrayList<>();
      for (int i = 0; i < entities; i++) {
        begun.add(caller.begin(request("e" + i, 1)));
      }
      gate.awaitArrivals(most);
      gate.open();
      long granted = begun.stream().filter(SetBackTest::isGranted).count();

      assertThat(granted).isEqualTo(most);
      assertThat(caller.metrics().lookUpsFull()).isEqualTo(entities - most);
      assertThat(bench.state("e0").stamp().versions())
          .isEqualTo(RecordVersions.of(ConfigLevel.SYSTEM, 2));
      bench.faults.heal();
      caller.acquire(request("e" + (entities - 1), 1));
    }
  }

  private static boolean isGranted(CompletableFuture<Lease> begun) {
    try {
      Await.result(begun);
      return true;
    } catch (LimiterUnavailableException busy) {
      assertThat(busy.attributes()).containsEntry("failure", StoreFailure.Kind.BUSY);
      return false;
    }
  }
}
