package dev.millrace.testkit.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.RecordingStore;
import dev.millrace.testkit.internal.contract.TokenContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Transactions that meet each other are made all the same, by those who come again. */
class ModelStoreConflictsTest implements TokenContract {
  private final ModelStore store =
      ModelStore.withConflicts(Duration.ofNanos(500_000), PartitionLimits.NONE);
  private final RecordingStore recording = RecordingStore.over(store);

  @AfterEach
  void close() {
    store.close();
    assertThat(recording.replies())
        .filteredOn(StoreReply.NotApplied.class::isInstance)
        .allMatch(
            reply ->
                ((StoreReply.NotApplied) reply).failure().kind() == StoreFailure.Kind.CONFLICT);
  }

  @Override
  public BlockingStore blocking() {
    return recording;
  }

  @Override
  public AsyncStore async() {
    return recording;
  }
}
