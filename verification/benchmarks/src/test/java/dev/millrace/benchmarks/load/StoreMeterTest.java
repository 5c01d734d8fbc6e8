package dev.millrace.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreMeterTest {
  private static final long TIMEOUT_MS = 1_000;
  private static final BucketKey FIRST = BucketKey.first("bench", "first", "gpt-4");
  private static final BucketKey SECOND = BucketKey.first("bench", "second", "gpt-4");
  private static final StoreCall LOOKUP =
      new StoreCall.Lookup(
          List.of(new RecordKey.Schema(), new RecordKey.NamespaceById("bench")),
          /* consistent= */ true);

  private final StoreMeter meter = new StoreMeter();
  private final InMemoryStore memory = new InMemoryStore();

  @Test
  void spending_lookups_areNotAmongTheReads() {
    BlockingStore store = meter.on(memory);
    store.execute(LOOKUP, TIMEOUT_MS);
    store.execute(new StoreCall.Read(FIRST), TIMEOUT_MS);
    store.execute(new StoreCall.ReadAll(List.of(FIRST, SECOND)), TIMEOUT_MS);
    assertThat(meter.spending()).isEqualTo(new StoreCost(3, 1, 0, 0, 3, 2, 0));
  }

  @Test
  void spending_writes_countWhetherMadeOrRefused() {
    BlockingStore store = meter.on(memory);
    store.execute(new StoreCall.Write(create(FIRST)), TIMEOUT_MS);
    StoreReply again = store.execute(new StoreCall.Write(create(FIRST)), TIMEOUT_MS);
    assertThat(again).isInstanceOf(StoreReply.Refused.class);
    assertThat(meter.spending()).isEqualTo(new StoreCost(0, 0, 2, 0, 0, 0, 2));
  }

  @Test
  void spending_throttled_isWrittenToo() {
    BlockingStore slow =
        meter.on(
            (call, timeoutMs) ->
                new StoreReply.NotApplied(
                    new StoreFailure(StoreFailure.Kind.THROTTLED, null), Receipt.NONE));
    slow.execute(new StoreCall.Write(create(FIRST)), TIMEOUT_MS);
    slow.execute(
        new StoreCall.Transaction(List.of(create(FIRST), create(SECOND)), List.of(), "token"),
        TIMEOUT_MS);
    slow.execute(new StoreCall.Read(FIRST), TIMEOUT_MS);
    meter.on(memory).execute(new StoreCall.Write(create(FIRST)), TIMEOUT_MS);
    assertThat(meter.spending()).isEqualTo(new StoreCost(1, 0, 4, 3, 0, 0, 1));
  }

  @Test
  void spending_transaction_isAsManyWritesAsItNames() {
    BlockingStore store = meter.on(memory);
    store.execute(
        new StoreCall.Transaction(List.of(create(FIRST), create(SECOND)), List.of(), "token"),
        TIMEOUT_MS);
    assertThat(meter.spending()).isEqualTo(new StoreCost(0, 0, 2, 0, 0, 0, 4));
  }

  @Test
  void spending_asyncCalls_areCountedBeforeTheyAreAnswered() {
    AsyncStore store = (AsyncStore) meter.on(memory);
    StoreReply reply = store.executeAsync(LOOKUP, TIMEOUT_MS).toCompletableFuture().join();
    assertThat(reply).isInstanceOf(StoreReply.Records.class);
    assertThat(meter.spending()).isEqualTo(new StoreCost(0, 1, 0, 0, 0, 2, 0));
  }

  @Test
  void on_storeThatOnlyBlocks_onlyBlocks() {
    BlockingStore onlyBlocks = (call, timeoutMs) -> new StoreReply.Erased(Receipt.NONE);
    assertThat(meter.on(onlyBlocks)).isNotInstanceOf(AsyncStore.class);
  }

  @Test
  void minus_earlier_isWhatCameAfter() {
    assertThat(new StoreCost(9, 8, 7, 6, 5, 4, 3).minus(new StoreCost(1, 2, 3, 4, 5, 3, 1)))
        .isEqualTo(new StoreCost(8, 6, 4, 2, 0, 1, 2));
  }

  private static WritePlan create(BucketKey key) {
    LimitSet limits = LimitSet.of(Limit.perSecond("rps", 10));
    return new WritePlan.Create(BucketState.full(key, limits, 1_000));
  }
}
