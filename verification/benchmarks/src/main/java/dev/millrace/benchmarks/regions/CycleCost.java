package dev.millrace.benchmarks.regions;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.CycleReport;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.SyncListener;
import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotExchange;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a window for a region: two regions with the same pairs, each of which was used since
 * the last window, and the snapshot of the other is read and the own published every time.
 */
public final class CycleCost {
  private static final int RESOURCES = 10;
  private static final LimitSet WHOLE =
      LimitSet.of(Limit.perMinute("rpm", 6_000), Limit.perMinute("tpm", 900_000));
  private static final AllocationPolicy POLICY = AllocationPolicy.DEFAULT;
  private static final AtomicLong IDS = new AtomicLong();
  private static final long START_MS = 1_800_000_000_000L;

  private CycleCost() {}

  /**
   * The cost of one window, the median of several.
   *
   * @param cpuMs of the thread that does it, the store's work included where the store is in memory
   * @param elapsedMs by the clock
   * @param heapBytes what the region keeps in memory between two windows
   */
  public record Figures(
      int pairs,
      double cpuMs,
      double elapsedMs,
      long heapBytes,
      long publishedBytes,
      long readBytes) {}

  /** Measures windows of one of two regions with so many pairs. */
  public static Figures measure(Supplier<BlockingStore> tables, int pairs, int windows) {
    Shelf shelf = new Shelf();
    long[] nowMs = {START_MS};
    BlockingStore eu = tables.get();
    BlockingStore us = tables.get();
    setUp("eu", eu, pairs, nowMs[0]);
    setUp("us", us, pairs, nowMs[0]);
    RegionExchange other = open(us, shelf, nowMs);
    @Nullable RegionExchange measured = open(eu, shelf, nowMs);
    double[] cpuMs = new double[windows];
    double[] elapsedMs = new double[windows];
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    CycleReport last = null;
    for (int i = -1; i < windows; i++) { // one to warm up, which reads all for the first time
      nowMs[0] += POLICY.windowMs();
      other.cycle();
      long cpu = threads.getCurrentThreadCpuTime();
      long began = System.nanoTime();
      last = measured.cycle();
      if (i >= 0) {
        elapsedMs[i] = (System.nanoTime() - began) / 1e6;
        cpuMs[i] = (threads.getCurrentThreadCpuTime() - cpu) / 1e6;
      }
    }
    long withBytes = heapBytes();
    measured = null; // so that what it keeps can be cleared away
    long keptBytes = withBytes - heapBytes();
    if (last == null || last.work().failedPairs() > 0) {
      throw new IllegalStateException("windows failed: " + last);
    }
    return new Figures(
        pairs,
        median(cpuMs),
        median(elapsedMs),
        keptBytes,
        last.exchanged().publishedBytes(),
        last.exchanged().readBytes());
  }

  private static RegionExchange open(BlockingStore table, SnapshotExchange shelf, long[] nowMs) {
    return RegionExchange.of(
        table,
        "default",
        shelf,
        POLICY,
        () -> nowMs[0],
        () -> "bench." + IDS.incrementAndGet(),
        SyncListener.NONE,
        ActiveView.NONE);
  }

  private static void setUp(String region, BlockingStore table, int pairs, long nowMs) {
    try (Admin admin = Admin.of(table, AdminOptions.of("bench"))) {
      RegionOperations regions = new RegionOperations(admin.in("default"), POLICY);
      regions.found(region, List.of("eu", "us"));
      for (int resource = 0; resource < RESOURCES; resource++) {
        regions.share(
            LimitTarget.resource("model-" + resource), WHOLE, List.of(), ProgressListener.NONE);
      }
    }
    RandomGenerator random = new SplittableRandom(pairs);
    ConfigStamp stamp =
        new ConfigStamp(
            ConfigLevel.RESOURCE,
            RecordVersions.of(ConfigLevel.RESOURCE, 1),
            /* disabled= */ false);
    for (int i = 0; i < pairs; i++) {
      BucketKey key = BucketKey.first("default", "key-" + i / RESOURCES, "model-" + i % RESOURCES);
      BucketState full = BucketState.full(key, new EffectiveLimits(WHOLE, stamp), nowMs);
      List<LimitState> used =
          full.limits().stream()
              .map(
                  limit -> {
                    long milli = limit.tokensMilli() / 2 - random.nextInt(1_000);
                    return new LimitState(limit.limit(), milli, random.nextInt(10_000_000));
                  })
              .toList();
      BucketState state = new BucketState(key, nowMs, used, BucketState.NEVER, "fill." + i, stamp);
      table.execute(new StoreCall.Write(new WritePlan.Create(state)), 10_000);
    }
  }

  /** After what nobody needs is cleared away, as far as the machine does it when asked. */
  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Objects in memory. */
  private static final class Shelf implements SnapshotExchange {
    private final Map<String, EncodedSnapshot> objects = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();

    @Override
    public SnapshotExchange.PublishResult publish(String region, EncodedSnapshot snapshot) {
      objects.put(region, snapshot);
      versions.merge(region, 1, Integer::sum);
      return new SnapshotExchange.PublishResult.Done();
    }

    @Override
    public SnapshotExchange.FetchResult fetch(String region, @Nullable String lastEtag) {
      EncodedSnapshot snapshot = objects.get(region);
      String etag = String.valueOf(versions.get(region));
      if (snapshot == null) {
        return new SnapshotExchange.FetchResult.Missing();
      }
      return etag.equals(lastEtag)
          ? new SnapshotExchange.FetchResult.NotModified()
          : new SnapshotExchange.FetchResult.Found(snapshot, etag);
    }
  }
}
