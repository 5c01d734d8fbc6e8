package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.ops;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import org.junit.jupiter.api.Test;

/** How many shards there should be is changed on the first. */
class ShardCountTest {
  private static final BucketState WHOLE = bucket(T, holds(RPM, 10));

  @Test
  void start_asBelieved_changesTheCountAlone() {
    Script<SplitMergeProtocol.CountChange> script = resize(KEY.withShard(3), 1, 2).read(WHOLE, T);
    WritePlan.Resize plan = script.plan(WritePlan.Resize.class);
    BucketState after = PureStore.applied(WHOLE, plan);

    assertThat(plan).isEqualTo(new WritePlan.Resize(KEY, 1, 2, -1_000, "op-1"));
    assertThat(script.write(WritePlan.Resize.class, WHOLE, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(true, after, null));
    assertThat(after.division()).isEqualTo(Division.of(2, 1));
    assertThat(after.limits()).isEqualTo(WHOLE.limits());
  }

  @Test
  void write_somebodyWasFaster_learnsOfIt() {
    BucketState theirs = Shards.counting(2, WHOLE);

    assertThat(resize(KEY, 1, 2).read(WHOLE, T).write(WritePlan.Resize.class, theirs, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, theirs, null));
  }

  @Test
  void read_notAsBelieved_learnsOfItForNothing() {
    BucketState theirs = Shards.counting(2, WHOLE);

    assertThat(resize(KEY, 1, 2).read(theirs, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, theirs, null));
  }

  @Test
  void read_noBucket_changesNothing() {
    assertThat(resize(KEY, 1, 2).read(null, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, null, null));
  }

  @Test
  void read_fails_tellsWhy() {
    assertThat(
            resize(KEY, 1, 2)
                .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
                .result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, null, SLOW_DOWN));
  }

  @Test
  void write_noBucketAnyMore_changesNothing() {
    assertThat(resize(KEY, 1, 2).read(WHOLE, T).write(WritePlan.Resize.class, null, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, null, null));
  }

  @Test
  void write_fails_tellsWhy() {
    assertThat(resize(KEY, 1, 2).read(WHOLE, T).throttle(WritePlan.Resize.class, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, null, SLOW_DOWN));
    assertThat(resize(KEY, 1, 2).read(WHOLE, T).lose(WritePlan.Resize.class, T).result())
        .isEqualTo(new SplitMergeProtocol.CountChange(false, null, LOST));
  }

  private static Script<SplitMergeProtocol.CountChange> resize(
      BucketKey key, int believed, int count) {
    return Script.of(SplitMergeProtocol.changeCount(key, believed, count, ops()));
  }
}
