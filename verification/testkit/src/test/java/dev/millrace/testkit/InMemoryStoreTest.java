package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What only the store in memory does; the rest is {@code InMemoryStoreContractTest}. */
class InMemoryStoreTest {
  private static final BucketKey KEY = BucketKey.first("test", "key-42", "gpt-4");
  private static final LimitSet LIMITS = LimitSet.of(Limit.perMinute("rpm", 100));
  private static final long NOW_MS = 1_700_000_000_999L;

  private final InMemoryStore store = new InMemoryStore();

  private static StoreCall create() {
    return new StoreCall.Write(new WritePlan.Create(BucketState.full(KEY, LIMITS, NOW_MS)));
  }

  private static StoreCall adjust(LimitChange... changes) {
    return new StoreCall.Write(
        new WritePlan.Adjust(KEY, List.of(changes), BucketState.NEVER, "op"));
  }

  private StoreReply execute(StoreCall call) {
    return store.execute(call, 1_000);
  }

  @Test
  void remove_present_forgetsTheBucket() {
    execute(create());
    assertThat(store.size()).isEqualTo(1);
    assertThat(store.snapshot(KEY)).isNotNull();
    assertThat(store.remove(KEY)).isTrue();
    assertThat(store.remove(KEY)).isFalse();
    assertThat(store.size()).isZero();
    assertThat(store.snapshot(KEY)).isNull();
    assertThat(execute(create())).isInstanceOf(StoreReply.Applied.class);
  }

  @Test
  void receipt_eachCall_isOneUnit() {
    Receipt write = new Receipt(0, 1, 0, Receipt.NO_TIME);
    Receipt read = new Receipt(1, 0, 0, Receipt.NO_TIME);
    assertThat(execute(new StoreCall.Read(KEY)).receipt()).isEqualTo(read);
    assertThat(execute(create()).receipt()).isEqualTo(write);
    assertThat(execute(create())).isInstanceOf(StoreReply.Refused.class);
    assertThat(execute(create()).receipt()).isEqualTo(write);
    assertThat(execute(new StoreCall.Read(KEY)).receipt()).isEqualTo(read);
  }

  @Test
  void receipt_withClock_tellsWholeSeconds() {
    ManualClock clock = new ManualClock(NOW_MS);
    InMemoryStore timed = InMemoryStore.withClock(clock::nowMs);
    assertThat(timed.execute(create(), 1_000).receipt().storeTimeMs())
        .isEqualTo(1_700_000_000_000L);
  }

  @Test
  void write_beyond64Bits_stopsAtTheEnd() {
    execute(create());
    for (int i = 0; i < 12; i++) {
      long milli = Limit.MAX_TOKENS * Limit.MILLI;
      execute(adjust(LimitChange.unconditional("rpm", -milli, milli)));
    }
    LimitState expected = new LimitState(LIMITS.get(0), Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(store.snapshot(KEY))
        .isEqualTo(new BucketState(KEY, NOW_MS, List.of(expected), BucketState.NEVER, "op"));
  }

  @Test
  void write_limitNamedTwice_isAMistake() {
    StoreCall twice =
        adjust(LimitChange.unconditional("rpm", 1, 1), LimitChange.unconditional("rpm", 1, 1));
    assertThatThrownBy(() -> execute(twice))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limit 'rpm' is named twice in Adjust");
    assertThatThrownBy(() -> store.executeAsync(twice, 1_000).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void write_limitChangedAndRemoved_isAMistake() {
    WritePlan.Parameters removed =
        new WritePlan.Parameters(List.of(), List.of(), List.of(new WritePlan.Removal("rpm", 0)));
    LimitChange change = LimitChange.unconditional("rpm", 1, 1);
    WritePlan plan = new WritePlan.Locked(KEY, 0, 0, List.of(change), removed, 0, "op");
    assertThatThrownBy(() -> execute(new StoreCall.Write(plan)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limit 'rpm' is named twice in Locked");
  }

  @Test
  void write_floorAboveCeiling_isAMistake() {
    LimitChange change = new LimitChange("rpm", 1, 1, 2, 1);
    WritePlan plan = new WritePlan.Consume(KEY, 0, List.of(change), 0, "op");
    assertThatThrownBy(() -> execute(new StoreCall.Write(plan)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limit 'rpm' has its floor above its ceiling in Consume");
  }

  @Test
  void write_adjustWithBound_isAMistake() {
    assertThatThrownBy(
            () -> execute(adjust(new LimitChange("rpm", 1, 1, 0, LimitChange.NO_CEILING))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limit 'rpm' has a bound in Adjust");
  }
}
