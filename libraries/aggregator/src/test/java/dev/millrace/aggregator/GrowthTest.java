package dev.millrace.aggregator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.internal.GrowthSettings;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.InMemoryUsageStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hot buckets are told to divide, quiet ones to merge. */
class GrowthTest {
  private static final BucketKey KEY = BucketKey.first("default", "hot", "gpt-4");
  private static final long PRESSED = 200_000; // of a million: 80 % are used
  private static final long EASY = 200_001;

  private final InMemoryStore store = new InMemoryStore();
  private final List<Integer> resized = new ArrayList<>();
  private final List<StoreFailure> failures = new ArrayList<>();
  private long nowMs = Recorded.AT_MS;
  private int number;

  private final Aggregator aggregator = aggregator(store);

  private Aggregator aggregator(BlockingStore buckets) {
    return Aggregator.builder(new InMemoryUsageStore(), letters -> {})
        .clock(() -> nowMs)
        .growth(buckets, new GrowthSettings(WriteUnits.DYNAMODB, 80, Duration.ofMinutes(5), 8, 100))
        .listener(
            new AggregatorListener() {
              @Override
              public void onResized(BucketKey key, int shards) {
                resized.add(shards);
              }

              @Override
              public void onResizeFailed(BucketKey key, StoreFailure failure) {
                failures.add(failure);
              }
            })
        .build();
  }

  /** Stores shard 0 as it is told to be. */
  private void given(int count, int level) {
    store.remove(KEY);
    BucketState state = Recorded.bucket(KEY, Division.of(count, level), 0, 1_000_000);
    store.execute(new StoreCall.Write(new WritePlan.Create(state)), 1);
  }

  /** The stream tells of a write that left shard 0 with so many write units. */
  private void written(int count, int level, long wcuMilli) {
    aggregator.process(List.of(record(count, level, wcuMilli)));
  }

  private StreamRecord record(int count, int level, long wcuMilli) {
    number++;
    return Images.record(
        Integer.toString(number),
        Recorded.AT_MS,
        Recorded.bucket(KEY, Division.of(count, level), number, 0),
        Recorded.bucket(KEY, Division.of(count, level), number + 1, wcuMilli));
  }

  private int count() {
    BucketState state = store.snapshot(KEY);
    return state == null ? 0 : state.shardCount();
  }

  @Test
  void process_fourFifthsUsed_doublesOnce() {
    given(1, 1);
    written(1, 1, EASY);
    assertThat(count()).isEqualTo(1);
    aggregator.process(List.of(record(1, 1, PRESSED), record(1, 1, -5), record(1, 1, EASY)));
    assertThat(count()).isEqualTo(2);
    written(1, 1, PRESSED); // news from before
    nowMs += 5_000;
    written(1, 1, PRESSED);
    assertThat(resized).containsExactly(2);
  }

  /** A batch that holds nothing but the change of the number is news like any other. */
  @Test
  void process_levelBehindTheCount_isGivenTime() {
    given(2, 1);
    written(2, 1, PRESSED);
    assertThat(resized).isEmpty();
    given(2, 2);
    nowMs += 2_000;
    written(2, 2, PRESSED);
    assertThat(resized).containsExactly(4);
  }

  @Test
  void process_asManyAsAllowed_growsNoMore() {
    given(8, 8);
    written(8, 8, -1_000_000);
    assertThat(resized).isEmpty();
  }

  @Test
  void process_oldNews_changesNothing() {
    given(1, 1);
    nowMs += Duration.ofHours(1).toMillis();
    written(1, 1, PRESSED);
    assertThat(resized).isEmpty();
  }

  @Test
  void process_quietForLong_halvesAndWaitsAgain() {
    given(4, 4);
    quietMinutes(4, 4, 5);
    assertThat(resized).isEmpty();
    quietMinutes(4, 4, 1);
    assertThat(resized).containsExactly(2);
    quietMinutes(2, 2, 5);
    assertThat(resized).containsExactly(2);
  }

  /** Nobody writes it, so only other records tell that time passes. */
  @Test
  void process_nobodyWrites_isMergedToo() {
    given(2, 2);
    written(2, 2, EASY);
    nowMs += Duration.ofMinutes(6).toMillis();
    aggregator.process(List.of(Recorded.record("other", 1)));
    assertThat(resized).containsExactly(1);
  }

  private void quietMinutes(int count, int level, int minutes) {
    for (int i = 0; i < minutes; i++) {
      nowMs += 60_000;
      number++;
      aggregator.process(
          List.of(
              Images.record(
                  Integer.toString(number),
                  nowMs,
                  Recorded.bucket(KEY, Division.of(count, level), number, 0),
                  Recorded.bucket(KEY, Division.of(count, level), number + 1, 900_000))));
    }
  }

  @Test
  void process_bucketsAway_countsUsageAllTheSame() {
    Aggregator broken =
        aggregator(
            (call, timeoutMs) -> {
              throw new IllegalStateException("no table");
            });
    BatchResult result = broken.process(List.of(record(1, 1, PRESSED)));
    assertThat(result.isDone()).isTrue();
    assertThat(failures).hasSize(1);
  }
}
