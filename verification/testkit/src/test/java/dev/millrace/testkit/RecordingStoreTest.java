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
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.internal.contract.StorePort;
import dev.millrace.testkit.internal.contract.StoreUnderTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordingStoreTest implements StoreUnderTest {
  private static final BucketKey KEY = BucketKey.first("test", "key-42", "gpt-4");
  private static final StoreCall READ = new StoreCall.Read(KEY);
  private static final StoreCall CREATE =
      new StoreCall.Write(
          new WritePlan.Create(BucketState.full(KEY, LimitSet.of(Limit.perMinute("rpm", 100)), 1)));

  private final FaultyStore faulty = FaultyStore.over(new InMemoryStore());
  private final RecordingStore store = RecordingStore.over(faulty);

  @Override
  public BlockingStore blocking() {
    return store;
  }

  @Override
  public AsyncStore async() {
    return store;
  }

  @ParameterizedTest
  @EnumSource
  void calls_several_areRecordedAndAddedUp(StorePort driver) {
    StoreReply missing = driver.execute(this, READ);
    StoreReply applied = driver.execute(this, CREATE);
    StoreReply refused = driver.execute(this, CREATE);
    assertThat(store.calls()).containsExactly(READ, CREATE, CREATE);
    assertThat(store.replies()).containsExactly(missing, applied, refused);
    assertThat(store.exchanges()).contains(new RecordingStore.Exchange(CREATE, refused));
    assertThat(store.roundTrips()).isEqualTo(3);
    assertThat(store.roundTrips(Calls.reads())).isEqualTo(1);
    assertThat(store.roundTrips(Calls.writes(WritePlan.Create.class))).isEqualTo(2);
    assertThat(store.roundTrips(Calls.writes(WritePlan.Adjust.class))).isZero();
    assertThat(store.spent()).isEqualTo(new Receipt(1, 2, 0, Receipt.NO_TIME));
  }

  @ParameterizedTest
  @EnumSource
  void calls_thatFail_areRoundTripsWithoutAnswer(StorePort driver) {
    faulty.once(Fault.raise(new IllegalStateException("bug")));
    assertThatThrownBy(() -> driver.execute(this, READ)).hasMessage("bug");
    assertThat(store.roundTrips()).isEqualTo(1);
    assertThat(store.replies()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void clear_afterCalls_forgets(StorePort driver) {
    driver.execute(this, READ);
    store.clear();
    assertThat(store.calls()).isEmpty();
    assertThat(store.exchanges()).isEmpty();
    assertThat(store.spent()).isEqualTo(Receipt.NONE);
  }
}
