package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.RecordingStore;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The cost of a window in a region with many pairs, of which none is transferred. */
class CycleCostTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int ENTITIES = 2_000;
  private static final int RESOURCES = 10;
  private static final LimitSet WHOLE =
      LimitSet.of(Limit.perMinute("rpm", 6_000), Limit.perMinute("tpm", 900_000));

  /** Counts; the others have published nothing yet. */
  private static final class Counted implements SnapshotExchange {
    int puts;
    int gets;
    int bytes;

    @Override
    public SnapshotExchange.PublishResult publish(String region, EncodedSnapshot snapshot) {
      puts++;
      bytes = snapshot.size();
      return new SnapshotExchange.PublishResult.Done();
    }

    @Override
    public SnapshotExchange.FetchResult fetch(String region, @Nullable String lastEtag) {
      gets++;
      return new SnapshotExchange.FetchResult.Missing();
    }
  }

  @Test
  void cycle_twentyThousandPairs_writesNothingToTheTable() {
    try (World world = new World("ap", "eu", "us")) {
      World.Region eu = world.region("eu");
      for (int resource = 0; resource < RESOURCES; resource++) {
        eu.sharing.share(
            LimitTarget.resource("model-" + resource), WHOLE, List.of(), ProgressListener.NONE);
      }
      fill(eu, world.clock.nowMs());
      RecordingStore calls = RecordingStore.over(eu.memory);
      Counted counted = new Counted();
      RegionExchange exchange =
          new RegionExchange(
              new RegionSync(
                  calls,
                  "default",
                  World.POLICY,
                  world.clock::nowMs,
                  () -> "id",
                  SyncListener.NONE,
                  ActiveView.NONE),
              counted,
              World.POLICY,
              SyncListener.NONE);

      CycleReport report = exchange.cycle();

      assertThat(report.work().limits()).isEqualTo(ENTITIES * RESOURCES * WHOLE.size());
      assertThat(report.work().failedPairs()).isZero();
      assertThat(calls.roundTrips(Calls.writes().or(Calls.transactions()))).isZero();
      assertThat(counted.puts).isEqualTo(1);
      assertThat(counted.gets).isEqualTo(2);
      assertThat(counted.bytes).isLessThanOrEqualTo(300_000);

      long before = THREADS.getCurrentThreadAllocatedBytes();
      exchange.cycle();
      long perPair = (THREADS.getCurrentThreadAllocatedBytes() - before) / (ENTITIES * RESOURCES);
      assertThat(perPair).as("bytes allocated for each pair").isLessThanOrEqualTo(32_000);
    }
  }

  private static void fill(World.Region region, long nowMs) {
    ConfigStamp stamp =
        new ConfigStamp(
            ConfigLevel.RESOURCE,
            RecordVersions.of(ConfigLevel.RESOURCE, 1),
            /* disabled= */ false);
    for (int entity = 0; entity < ENTITIES; entity++) {
      for (int resource = 0; resource < RESOURCES; resource++) {
        BucketKey key = BucketKey.first("default", "key-" + entity, "model-" + resource);
        BucketState full = BucketState.full(key, new EffectiveLimits(WHOLE, stamp), nowMs);
        region.memory.execute(new StoreCall.Write(new WritePlan.Create(full)), 1);
      }
    }
  }
}
