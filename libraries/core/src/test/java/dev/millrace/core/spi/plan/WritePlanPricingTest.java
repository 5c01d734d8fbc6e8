package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Shards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every write debits what it costs, and changes nothing else for it. */
class WritePlanPricingTest {
  private static final WriteUnits UNITS = WriteUnits.DYNAMODB;
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final BucketState TEN = bucket(T, holds(RPM, 10));
  private static final List<LimitChange> CHANGES =
      List.of(LimitChange.unconditional("rpm", -1_000, 1_000));

  @Test
  void priced_locked_returnsWhatWasEarnedLessTheCost() {
    assertThat(locked(0).priced(TEN.withWcuMilli(500_000), 1, UNITS))
        .isEqualTo(locked(250_000 - 1_000));
  }

  @Test
  void priced_lockedOnAFullOne_returnsOnlyWhatThereIsRoomFor() {
    assertThat(locked(0).priced(TEN.withWcuMilli(999_000), 1, UNITS)).isEqualTo(locked(0));
    assertThat(locked(0).priced(TEN, 3, UNITS)).isEqualTo(locked(-3_000));
  }

  @Test
  void priced_lockedOfABucketNobodySaw_onlyCosts() {
    assertThat(locked(0).priced(null, 2, UNITS)).isEqualTo(locked(-2_000));
  }

  @Test
  void priced_consume_onlyCosts() {
    assertThat(consume(0).priced(TEN.withWcuMilli(0), 1, UNITS)).isEqualTo(consume(-1_000));
  }

  @Test
  void priced_adjust_onlyCosts() {
    assertThat(adjust(0).priced(null, 4, UNITS)).isEqualTo(adjust(-4_000));
  }

  @Test
  void priced_create_beginsFullLessTheCost() {
    BucketState state = Shards.shard(3, Division.of(8, 4), T, holds(RPM, 1)).withWcuMilli(7);

    assertThat(new WritePlan.Create(state).priced(null, 2, UNITS))
        .isEqualTo(new WritePlan.Create(state.withWcuMilli(998_000)));
  }

  @Test
  void priced_resize_onlyCosts() {
    assertThat(new WritePlan.Resize(KEY, 2, 4, 0, "op").priced(TEN, 1, UNITS))
        .isEqualTo(new WritePlan.Resize(KEY, 2, 4, -1_000, "op"));
  }

  @Test
  void priced_remove_leavesNothingToDebit() {
    WritePlan remove = new WritePlan.Remove(KEY.withShard(1), "op-before", "op");

    assertThat(remove.priced(TEN, 2, UNITS)).isSameAs(remove);
  }

  private static WritePlan.Locked locked(long addWcuMilli) {
    return new WritePlan.Locked(
        KEY,
        T,
        /* level= */ 4,
        T + 250,
        CHANGES,
        WritePlan.Parameters.UNCHANGED,
        addWcuMilli,
        /* expiresAtSeconds= */ 7,
        "op");
  }

  private static WritePlan.Consume consume(long addWcuMilli) {
    return new WritePlan.Consume(
        KEY, T, /* level= */ 4, CHANGES, addWcuMilli, /* expiresAtSeconds= */ 7, "op");
  }

  private static WritePlan.Adjust adjust(long addWcuMilli) {
    return new WritePlan.Adjust(KEY, CHANGES, addWcuMilli, /* expiresAtSeconds= */ 7, "op");
  }
}
