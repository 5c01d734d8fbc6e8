package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OriginsTest {
  private static final BucketKey KEY = BucketKey.first("test", "key", "chat");
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private final Origins origins = new Origins(/* moves= */ false);

  private static BucketState shard(int level, long consumedMilli) {
    return new BucketState(
        KEY,
        1_000,
        List.of(new LimitState(RPM, 0, consumedMilli)),
        Division.of(level, level),
        0,
        BucketState.NEVER,
        "op",
        ConfigStamp.CALL);
  }

  private static TableWrite write(
      TableWrite.Source source, @Nullable BucketState before, @Nullable BucketState after) {
    return new TableWrite(1_000_000, "p", source, KEY, before, after, 1_000, Map.of());
  }

  @Test
  void wrote_shardGetsBackMoreThanItWasCharged_breaks() {
    origins.wrote(write(TableWrite.Source.CLIENT, shard(2, 5), shard(2, 0)));
    assertThatExceptionOfType(Violation.class)
        .isThrownBy(() -> origins.wrote(write(TableWrite.Source.CLIENT, shard(2, 5), shard(2, -1))))
        .withMessageContaining("what another was charged");
  }

  @Test
  void wrote_undividedForgottenOrMoved_mayHaveBeenChargedBefore() {
    origins.wrote(write(TableWrite.Source.CLIENT, shard(1, 5), shard(1, -1)));
    new Origins(/* moves= */ true)
        .wrote(write(TableWrite.Source.CLIENT, shard(2, 5), shard(2, -1)));
    origins.wrote(write(TableWrite.Source.EXPIRY, shard(1, 5), null));
    origins.wrote(write(TableWrite.Source.CLIENT, shard(2, 5), shard(2, -1)));
  }

  @Test
  void wrote_mergedAndSplitAgain_getsBackWhatWasChargedBefore() {
    origins.wrote(write(TableWrite.Source.CLIENT, shard(2, 5), null));
    origins.wrote(write(TableWrite.Source.CLIENT, shard(2, 0), shard(2, -1)));
  }
}
