package dev.millrace.aggregator.sim;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.internal.generator.Gen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Real limiters that write buckets over three days in which Berlin's clocks go back: charges,
 * refunds, changing limits, splits, merges, expiries.
 */
final class Traffic {
  static final String RESOURCE = "gpt-4";
  private static final int ENTITIES = 200;
  private static final int HOT = 3;
  private static final int LIMITERS = 3;
  private static final long MEAN_STEP_MS = 2_500;

  private static final List<LimitSet> LIMITS =
      List.of(
          LimitSet.of(Limit.perMinute("rpm", 500_000), Limit.perMinute("tpm", 50_000_000)),
          LimitSet.of(Limit.perMinute("rpm", 400_000), Limit.perMinute("tpm", 50_000_000)),
          LimitSet.of(
              Limit.perMinute("rpm", 500_000),
              Limit.perMinute("tpm", 60_000_000),
              Limit.perDay("tpd", 900_000_000)));

  private final SplittableRandom random;
  private final ManualClock clock =
      new ManualClock(Instant.parse("2026-10-23T21:59:00Z").toEpochMilli());
  private final List<RateLimiter> limiters = new ArrayList<>();
  final TappedStore store;
  int refunds;

  Traffic(long seed) {
    random = new SplittableRandom(seed);
    store = new TappedStore(new StreamLog(random.split()), clock::nowMs);
    for (int i = 0; i < LIMITERS; i++) {
      limiters.add(
          RateLimiter.create(
              store,
              LimiterOptions.builder()
                  .time(clock)
                  .threads(new OneThread(clock))
                  .random(random.split())
                  .partitionWriteUnits(1_000_000)
                  .configAge(Duration.ofMinutes(30)) // nothing is stored, so look seldom
                  .build()));
    }
  }

  /** Writes until the stream has {@code records} records. */
  void run(int records) {
    for (int i = 0; i < 20 * records && store.log.size() < records; i++) {
      call();
      if (Gen.oneIn(random, 500)) {
        resize(BucketKey.first("default", entity(random.nextInt(HOT)), RESOURCE));
      }
      if (Gen.oneIn(random, 1_000)) {
        expire(BucketKey.first("default", entity(random.nextInt(HOT, ENTITIES)), RESOURCE));
      }
      clock.advance(Duration.ofMillis(random.nextLong(2 * MEAN_STEP_MS)));
    }
    limiters.forEach(RateLimiter::close);
    if (store.log.size() < records) {
      throw new AssertionError("only " + store.log.size() + " records were written");
    }
  }

  private void call() {
    int who = (int) (ENTITIES * Math.pow(random.nextDouble(), 3)); // the first are the busiest
    LimitSet limits = LIMITS.get(Gen.oneIn(random, 50) ? random.nextInt(LIMITS.size()) : who % 3);
    AcquireRequest request =
        AcquireRequest.of(entity(who), RESOURCE)
            .limits(limits)
            .consume("rpm", 1)
            .consume("tpm", 500 + random.nextInt(2_000));
    Acquisition answer = limiters.get(random.nextInt(LIMITERS)).tryAcquire(request);
    if (!(answer instanceof Acquisition.Granted granted)) {
      return;
    }
    Lease lease = granted.lease();
    switch (random.nextInt(6)) {
      case 0 -> {
        lease.cancel();
        refunds++;
      }
      case 1, 2 -> {
        lease.adjust("tpm", random.nextInt(-500, 500));
        lease.close();
      }
      default -> lease.close();
    }
  }

  private void resize(BucketKey key) {
    BucketState state = store.bucket(key);
    if (state != null) {
      int count = state.shardCount();
      int next = random.nextBoolean() ? Math.min(8, count * 2) : Math.max(1, count / 2);
      store.execute(
          new StoreCall.Write(
              new WritePlan.Resize(key, count, next, 0, "resize" + random.nextLong())),
          1);
    }
  }

  private void expire(BucketKey key) {
    BucketState state = store.bucket(key);
    if (state != null && state.shardCount() == 1) {
      store.expire(key);
    }
  }

  private static String entity(int who) {
    return "user-" + who;
  }
}
