package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.internal.contract.StorePort;
import dev.millrace.testkit.internal.contract.StoreUnderTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FaultyStoreTest implements StoreUnderTest {
  private static final BucketKey KEY = BucketKey.first("test", "key-42", "gpt-4");
  private static final StoreCall READ = new StoreCall.Read(KEY);
  private static final StoreCall CREATE =
      new StoreCall.Write(
          new WritePlan.Create(BucketState.full(KEY, LimitSet.of(Limit.perMinute("rpm", 100)), 1)));

  private final InMemoryStore inner = new InMemoryStore();
  private final FaultyStore store = FaultyStore.over(inner);

  @Override
  public BlockingStore blocking() {
    return store;
  }

  @Override
  public AsyncStore async() {
    return store;
  }

  private static StoreFailure.Kind unknown(StoreReply reply) {
    assertThat(reply).isInstanceOf(StoreReply.Unknown.class);
    return ((StoreReply.Unknown) reply).failure().kind();
  }

  private static StoreFailure.Kind notApplied(StoreReply reply) {
    assertThat(reply).isInstanceOf(StoreReply.NotApplied.class);
    return ((StoreReply.NotApplied) reply).failure().kind();
  }

  @ParameterizedTest
  @EnumSource
  void loseReply_write_isMadeAndUnknown(StorePort driver) {
    store.once(Fault.loseReply());
    assertThat(unknown(driver.execute(this, CREATE))).isEqualTo(StoreFailure.Kind.TIMED_OUT);
    assertThat(inner.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void loseRequest_write_isNotMadeAndUnknown(StorePort driver) {
    store.once(Fault.loseRequest());
    assertThat(unknown(driver.execute(this, CREATE))).isEqualTo(StoreFailure.Kind.TIMED_OUT);
    assertThat(inner.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void throttleThenUnreachable_scripted_happenInOrder(StorePort driver) {
    store.once(Fault.throttle()).once(Fault.unreachable());
    assertThat(notApplied(driver.execute(this, CREATE))).isEqualTo(StoreFailure.Kind.THROTTLED);
    assertThat(store.rulesLeft()).isEqualTo(1);
    assertThat(notApplied(driver.execute(this, CREATE))).isEqualTo(StoreFailure.Kind.UNREACHABLE);
    assertThat(store.rulesLeft()).isZero();
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.Applied.class);
  }

  @ParameterizedTest
  @EnumSource
  void conflict_transaction_isNotMade(StorePort driver) {
    store.once(Calls.transactions(), Fault.conflict());
    StoreCall transaction = Samples.records("t", "a");
    assertThat(notApplied(driver.execute(this, transaction))).isEqualTo(StoreFailure.Kind.CONFLICT);
    assertThat(inner.records()).isZero();
    assertThat(driver.execute(this, transaction)).isInstanceOf(StoreReply.Committed.class);
  }

  @ParameterizedTest
  @EnumSource
  void loseReply_transaction_isMadeOnceWhenSentAgain(StorePort driver) {
    inner.execute(CREATE, 1_000);
    store.once(Calls.transactions(), Fault.loseReply());
    StoreCall transaction = Samples.transaction("t", "key-42");
    assertThat(unknown(driver.execute(this, transaction))).isEqualTo(StoreFailure.Kind.TIMED_OUT);
    assertThat(driver.execute(this, transaction)).isInstanceOf(StoreReply.Committed.class);
    assertThat(inner.snapshot(KEY))
        .satisfies(bucket -> assertThat(bucket.limits().get(0).consumedMilli()).isEqualTo(1));
  }

  @ParameterizedTest
  @EnumSource
  void always_predicate_hitsOnlyThatSortUntilHealed(StorePort driver) {
    store.always(Calls.writes(WritePlan.Create.class), Fault.throttle());
    assertThat(driver.execute(this, READ)).isInstanceOf(StoreReply.Found.class);
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.NotApplied.class);
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.NotApplied.class);
    store.heal();
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.Applied.class);
  }

  @ParameterizedTest
  @EnumSource
  void once_otherSortOfCall_waitsForItsOwn(StorePort driver) {
    store.once(Calls.reads(), Fault.unreachable());
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.Applied.class);
    assertThat(driver.execute(this, READ)).isInstanceOf(StoreReply.NotApplied.class);
    assertThat(driver.execute(this, READ)).isInstanceOf(StoreReply.Found.class);
  }

  @ParameterizedTest
  @EnumSource
  void before_otherWriter_getsInBetween(StorePort driver) {
    store.once(Calls.writes(), Fault.before(() -> inner.execute(CREATE, 1_000)));
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.Refused.class);
  }

  @ParameterizedTest
  @EnumSource
  void afterAndLoseReply_composed_runHookThenLose(StorePort driver) {
    store.once(Fault.loseReply().and(Fault.after(() -> inner.remove(KEY))));
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.Unknown.class);
    assertThat(inner.size()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void arriveLate_gateOpens_writeIsMadeAfterItsCallerGaveUp(StorePort driver) {
    Gate gate = new Gate();
    store.once(Fault.arriveLate(gate));
    assertThat(driver.execute(this, CREATE)).isInstanceOf(StoreReply.Unknown.class);
    assertThat(inner.size()).isZero();
    gate.open();
    assertThat(inner.size()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void raise_bug_reachesTheCaller(StorePort driver) {
    store.once(Fault.raise(new IllegalStateException("bug")));
    assertThatThrownBy(() -> driver.execute(this, READ))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("bug");
  }

  @ParameterizedTest
  @EnumSource
  void before_hookThrows_reachesTheCaller(StorePort driver) {
    store.once(
        Fault.before(
            () -> {
              throw new IllegalStateException("hook");
            }));
    assertThatThrownBy(() -> driver.execute(this, READ))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("hook");
  }

  @Test
  void holdReply_async_isMadeAtOnceAndToldLater() {
    Gate gate = new Gate();
    store.once(Fault.holdReply(gate));
    CompletableFuture<StoreReply> reply = store.executeAsync(CREATE, 1_000).toCompletableFuture();
    assertThat(inner.size()).isEqualTo(1);
    assertThat(reply).isNotDone();
    gate.open();
    assertThat(reply).isCompletedWithValueMatching(StoreReply.Applied.class::isInstance);
  }

  @Test
  void holdRequest_async_isMadeLater() {
    Gate gate = new Gate();
    store.once(Fault.holdRequest(gate));
    CompletableFuture<StoreReply> reply = store.executeAsync(CREATE, 1_000).toCompletableFuture();
    assertThat(inner.size()).isZero();
    gate.open();
    assertThat(reply).isCompletedWithValueMatching(StoreReply.Applied.class::isInstance);
    assertThat(inner.size()).isEqualTo(1);
  }

  @Test
  void holdReply_blocking_blocksUntilReleased() throws Exception {
    Gate gate = new Gate();
    store.once(Fault.holdReply(gate));
    CompletableFuture<StoreReply> reply =
        CompletableFuture.supplyAsync(() -> store.execute(CREATE, 1_000));
    gate.awaitArrivals(1);
    assertThat(inner.size()).isEqualTo(1);
    assertThat(reply).isNotDone();
    gate.open();
    assertThat(reply.get(10, TimeUnit.SECONDS)).isInstanceOf(StoreReply.Applied.class);
  }

  @Test
  void holdReply_blockingAndInterrupted_isUnknown() {
    store.once(Fault.holdReply(new Gate()));
    Thread.currentThread().interrupt();
    StoreReply reply = store.execute(CREATE, 1_000);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(unknown(reply)).isEqualTo(StoreFailure.Kind.INTERRUPTED);
  }
}
