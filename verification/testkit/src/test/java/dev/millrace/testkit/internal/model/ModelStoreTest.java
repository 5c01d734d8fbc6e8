package dev.millrace.testkit.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Samples;
import dev.millrace.testkit.internal.contract.StorePort;
import dev.millrace.testkit.internal.contract.StoreUnderTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModelStoreTest implements StoreUnderTest {
  /** Longer than a test is likely to be kept from sending two calls in a row. */
  private static final Duration SLOW = Duration.ofSeconds(1);

  /** Two units at once, and then one a second. */
  private static final PartitionLimits TWO = new PartitionLimits(1, 1, 2);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1); // it may well wrap
  private ModelStore store = ModelStore.atTime(TWO, nanos::get);

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  public BlockingStore blocking() {
    return store;
  }

  @Override
  public AsyncStore async() {
    return store;
  }

  private static void assertNotApplied(StoreReply reply, StoreFailure.Kind kind) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            StoreReply.NotApplied.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(kind));
  }

  private StoreReply create(String entityId) {
    StoreCall call = new StoreCall.Write(Samples.create(entityId));
    return store.contents().execute(call, 1_000);
  }

  @ParameterizedTest
  @EnumSource
  void transaction_onePartitionThrottled_isThrottledAsAWhole(StorePort driver) {
    create("a");
    create("b");
    assertThat(driver.execute(this, Samples.write("a"))).isInstanceOf(StoreReply.Applied.class);
    StoreCall both = Samples.transaction("t", "b", "a");
    assertNotApplied(driver.execute(this, both), StoreFailure.Kind.HOT_KEY);
    assertNotApplied(driver.execute(this, both), StoreFailure.Kind.HOT_KEY);
    // What was not made took nothing from the partition that would have borne it.
    assertThat(driver.execute(this, Samples.transaction("u", "b")))
        .isInstanceOf(StoreReply.Committed.class);
    assertNotApplied(driver.execute(this, Samples.write("b")), StoreFailure.Kind.HOT_KEY);
  }

  @ParameterizedTest
  @EnumSource
  void lookup_moreThanThePartitionHas_isThrottled(StorePort driver) {
    StoreCall three =
        new StoreCall.Lookup(
            List.of(Samples.entity("a"), Samples.entity("b"), Samples.entity("c")), true);
    assertThat(driver.execute(this, three)).isInstanceOf(StoreReply.Records.class);
    assertThat(driver.execute(this, three)).isInstanceOf(StoreReply.Records.class);
    assertNotApplied(driver.execute(this, three), StoreFailure.Kind.HOT_KEY);
    assertThat(driver.execute(this, Samples.records("t", "a")))
        .isInstanceOf(StoreReply.Committed.class);
    assertNotApplied(driver.execute(this, Samples.records("u", "a")), StoreFailure.Kind.HOT_KEY);
  }

  @Test
  void take_moreThanAPartitionEverHas_needsAllOfIt() {
    store = ModelStore.atTime(new PartitionLimits(1, 1, 1), nanos::get);
    create("a");
    assertThat(store.execute(Samples.transaction("t", "a"), 1_000))
        .isInstanceOf(StoreReply.Committed.class);
    nanos.addAndGet(1_999_000_000);
    assertNotApplied(store.execute(Samples.write("a"), 1_000), StoreFailure.Kind.HOT_KEY);
    nanos.addAndGet(2_000_000);
    assertThat(store.execute(Samples.write("a"), 1_000)).isInstanceOf(StoreReply.Applied.class);
  }

  @ParameterizedTest
  @EnumSource
  void mistake_eitherPort_reachesTheCaller(StorePort driver) {
    WritePlan create = Samples.create("a");
    StoreCall twice = new StoreCall.Transaction(List.of(create, create), List.of(), "t");
    assertThatThrownBy(() -> driver.execute(this, twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  @ParameterizedTest
  @EnumSource
  void conflict_mistakeMeanwhile_keepsNothing(StorePort driver) {
    store = ModelStore.withConflicts(Duration.ZERO, PartitionLimits.NONE);
    WritePlan create = Samples.create("a");
    StoreCall twice = new StoreCall.Transaction(List.of(create, create), List.of(), "t");
    assertThatThrownBy(() -> driver.execute(this, twice))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(driver.execute(this, new StoreCall.Write(create)))
        .isInstanceOf(StoreReply.Applied.class);
  }

  @Test
  void conflict_overlapping_firstWinsAndOthersHaveNoEffect() {
    store = ModelStore.withConflicts(SLOW, PartitionLimits.NONE);
    create("a");
    create("b");
    CompletableFuture<StoreReply> first = send(Samples.transaction("t1", "a", "b"));
    CompletableFuture<StoreReply> second = send(Samples.transaction("t2", "b"));
    CompletableFuture<StoreReply> write = send(Samples.write("a"));
    CompletableFuture<StoreReply> read = send(new StoreCall.Read(Samples.bucket("a")));
    assertThat(first.join()).isInstanceOf(StoreReply.Committed.class);
    assertNotApplied(second.join(), StoreFailure.Kind.CONFLICT);
    assertNotApplied(write.join(), StoreFailure.Kind.CONFLICT);
    assertThat(read.join()).isInstanceOf(StoreReply.Found.class);
    assertThat(store.contents().snapshot(Samples.bucket("b")))
        .satisfies(bucket -> assertThat(bucket.limits().get(0).consumedMilli()).isEqualTo(1));
    assertThat(send(Samples.transaction("t2", "b")).join())
        .isInstanceOf(StoreReply.Committed.class);
  }

  @Test
  void conflict_throttled_keepsNothing() {
    store = ModelStore.withConflicts(Duration.ofMillis(200), TWO);
    create("a");
    create("b");
    assertThat(send(Samples.transaction("t1", "b")).join()) // all that there is of it
        .isInstanceOf(StoreReply.Committed.class);
    CompletableFuture<StoreReply> throttled = send(Samples.transaction("t2", "a", "b"));
    CompletableFuture<StoreReply> write = send(Samples.write("a"));
    assertNotApplied(throttled.join(), StoreFailure.Kind.HOT_KEY);
    assertThat(write.join()).isInstanceOf(StoreReply.Applied.class);
  }

  @Test
  void conflict_switchedOff_overlappingOnesAreAllMade() {
    store = ModelStore.of(Duration.ofMillis(50), PartitionLimits.NONE);
    create("a");
    CompletableFuture<StoreReply> first = send(Samples.transaction("t1", "a"));
    CompletableFuture<StoreReply> second = send(Samples.transaction("t2", "a"));
    assertThat(first.join()).isInstanceOf(StoreReply.Committed.class);
    assertThat(second.join()).isInstanceOf(StoreReply.Committed.class);
  }

  private CompletableFuture<StoreReply> send(StoreCall call) {
    return store.executeAsync(call, 10_000).toCompletableFuture();
  }
}
