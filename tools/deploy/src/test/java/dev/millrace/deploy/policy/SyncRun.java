package dev.millrace.deploy.policy;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.deploy.LocalEngine;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;

/** Two regions that exchange until one has given to the other. */
final class SyncRun {
  private static final List<String> REGIONS = List.of("eu", "us");
  private static final Duration WINDOW = Duration.ofMillis(500);
  private static final int MAX_WINDOWS = 60;
  private static final AllocationPolicy POLICY =
      new AllocationPolicy(
          WINDOW.toMillis(),
          AllocationPolicy.DEFAULT.staleAfterMs(),
          AllocationPolicy.DEFAULT.floorPpm(),
          AllocationPolicy.DEFAULT.offPpm(),
          AllocationPolicy.DEFAULT.leastGiftPpm());

  private SyncRun() {}

  /** What each region asks; its table is {@code prefix} and its name. */
  static Map<String, Set<ApiCall>> record(String prefix) throws Exception {
    try (EmbeddedS3 s3 = EmbeddedS3.start();
        DynamoDbClient dynamo = LocalEngine.client();
        S3Client bucket = LocalEngine.s3(s3.endpoint())) {
      bucket.createBucket(b -> b.bucket("sync"));
      Map<String, RegionExchange> exchanges = new LinkedHashMap<>();
      Map<String, Set<ApiCall>> calls = new LinkedHashMap<>();
      int[] changes = {0};
      SyncListener counting =
          new SyncListener() {
            @Override
            public void onChanged(String entity, String resource, String limit, int a, int b) {
              changes[0]++;
            }
          };
      for (String region : REGIONS) {
        BlockingStore store = DynamoStore.of(dynamo, prefix + region);
        prepare(dynamo, store, prefix + region, region);
        exchanges.put(
            region,
            S3Regions.open(
                store,
                "default",
                bucket,
                S3Location.parse("s3://sync/millrace"),
                POLICY,
                counting,
                ActiveView.NONE));
        calls.put(region, new LinkedHashSet<>());
      }
      BlockingStore busy = DynamoStore.of(dynamo, prefix + "eu");
      try (RateLimiter limiter = limiter(busy)) {
        for (int window = 0; window < MAX_WINDOWS && changes[0] < 2; window++) {
          runDry(limiter);
          for (Map.Entry<String, RegionExchange> each : exchanges.entrySet()) {
            calls
                .getOrDefault(each.getKey(), Set.of())
                .addAll(Recorder.during(() -> each.getValue().cycle()));
          }
          LockSupport.parkNanos(WINDOW.toNanos());
        }
      }
      if (changes[0] < 2) {
        throw new AssertionError("no share changed hands in " + MAX_WINDOWS + " windows");
      }
      return calls;
    }
  }

  private static void prepare(
      DynamoDbClient dynamo, BlockingStore store, String table, String region) {
    TableAdmin.of(dynamo, table).createIfMissing();
    try (Admin admin = Admin.of(store, AdminOptions.of("test"))) {
      RegionOperations regions = new RegionOperations(admin.in("default"), POLICY);
      regions.found(region, REGIONS);
      regions.share(
          LimitTarget.resource("gpt-4"),
          LimitSet.of(Limit.perMinute("rpm", 600)),
          List.of(),
          progress -> {});
    }
    try (RateLimiter limiter = limiter(store)) {
      limiter.acquire(request(1)).close();
    }
  }

  private static RateLimiter limiter(BlockingStore store) {
    return RateLimiter.create(
        store, LimiterOptions.builder().timeout(Duration.ofMinutes(1)).build());
  }

  /** All that the region has, so that it needs more. */
  private static void runDry(RateLimiter limiter) {
    for (long amount : new long[] {250, 100, 50, 20, 10, 5, 2, 1, 1}) {
      var unused = limiter.tryAcquire(request(amount));
    }
  }

  private static AcquireRequest request(long amount) {
    return AcquireRequest.of("acme", "gpt-4").consume("rpm", amount);
  }
}
