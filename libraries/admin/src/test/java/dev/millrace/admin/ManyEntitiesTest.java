package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A hundred thousand entities with limits of their own for one resource, and some without. */
class ManyEntitiesTest {
  private static final int CUSTOM = 100_000;
  private static final int PLAIN = 5_000;
  private static final LimitSet OWN = LimitSet.of(Limit.perMinute("rpm", 7));

  private static final InMemoryStore MEMORY = new InMemoryStore();
  private static final ManualClock CLOCK = new ManualClock(World.START_MS);

  /** Most things that were in one answer of the store. */
  private static final AtomicInteger LARGEST = new AtomicInteger();

  private static final AtomicLong WRITES = new AtomicLong();

  private static NamespaceAdmin admin(int maxWritesPerSecond, long seed) {
    AdminOptions options =
        AdminOptions.builder("tester")
            .clockMs(CLOCK::nowMs)
            .pacer(ms -> CLOCK.advance(Duration.ofMillis(ms)))
            .random(new SplittableRandom(seed))
            .concurrency(1)
            .maxWritesPerSecond(maxWritesPerSecond)
            .build();
    BlockingStore measured =
        (call, timeoutMs) -> {
          WRITES.addAndGet(call instanceof StoreCall.Write ? 1 : 0);
          StoreReply reply = MEMORY.execute(call, timeoutMs);
          LARGEST.accumulateAndGet(size(reply), Math::max);
          return reply;
        };
    return Admin.of(measured, options).in(World.NS);
  }

  private static int size(StoreReply reply) {
    if (reply instanceof StoreReply.Page page) {
      return page.entries().size();
    }
    if (reply instanceof StoreReply.Records records) {
      return records.records().size();
    }
    return reply instanceof StoreReply.FoundAll found ? found.states().size() : 1;
  }

  @BeforeAll
  static void given() {
    MEMORY.put(config(RecordKey.Config.ofResource(World.NS, "r"), World.RPM_100));
    for (int i = 0; i < CUSTOM; i++) {
      MEMORY.put(config(RecordKey.Config.ofEntityResource(World.NS, "c" + i, "r"), OWN));
      bucket(
          "c" + i,
          OWN,
          new ConfigStamp(ConfigLevel.ENTITY_RESOURCE, new RecordVersions(0, 1, 0, 1, 0), false));
    }
    for (int i = 0; i < PLAIN; i++) {
      bucket(
          "p" + i,
          World.RPM_100,
          new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.RESOURCE, 1), false));
    }
  }

  private static ConfigRecord config(RecordKey.Config key, LimitSet limits) {
    return ConfigRecord.empty(key).withLimits(limits);
  }

  private static void bucket(String entityId, LimitSet limits, ConfigStamp stamp) {
    BucketState state =
        new BucketState(
            BucketKey.first(World.NS, entityId, "r"),
            World.START_MS,
            List.of(LimitState.full(limits.get(0))),
            BucketState.NEVER,
            "made",
            stamp);
    MEMORY.execute(new StoreCall.Write(new WritePlan.Create(state)), 1_000);
  }

  @Test
  void ofEntities_allPages_showsEachInBoundedMemory() {
    LimitAdmin limits = admin(500, 1).limits();
    long seen = 0;
    String cursor = null;
    do {
      Page<StoredLimits> page = limits.ofEntities("r", 100, cursor);
      seen += page.items().size();
      cursor = page.cursor();
    } while (cursor != null);
    assertThat(seen).isEqualTo(CUSTOM);
    assertThat(LARGEST.get()).isLessThanOrEqualTo(100);
  }

  @Test
  void capacity_allPages_addsUpInBoundedMemory() {
    CapacityTotals totals =
        admin(500, 2)
            .buckets()
            .capacity("r", (page, sums) -> assertThat(page.items()).hasSizeLessThanOrEqualTo(100));
    assertThat(totals.buckets()).isEqualTo(CUSTOM + PLAIN);
    assertThat(LARGEST.get()).isLessThanOrEqualTo(100);
  }

  /** Killed twice; every plain bucket follows, none with limits of its own is written. */
  @Test
  void resourceChange_killedAndResumed_reachesEachOnceAtTheRateItMay() {
    LimitSet changed = LimitSet.of(Limit.perMinute("rpm", 50));
    long writesBefore = WRITES.get();
    long startMs = CLOCK.nowMs();
    AtomicLong last = new AtomicLong();
    ProgressListener dies =
        report -> {
          assertThat(report.examined()).isGreaterThanOrEqualTo(last.get());
          last.set(report.examined());
          if (report.examined() % 40_000 == 0) {
            throw new IllegalStateException("killed");
          }
        };
    assertThatThrownBy(
            () ->
                admin(500, 3)
                    .limits()
                    .set(LimitTarget.resource("r"), changed, SetOptions.DEFAULT.reportingTo(dies)))
        .hasMessage("killed");
    JobAdmin second = admin(500, 4).jobs();
    JobView job = second.unfinished(100, null).items().get(0);
    assertThat(job.examined()).isEqualTo(40_000);
    assertThatThrownBy(() -> second.resume(job.id(), dies)).hasMessage("killed");

    JobView result = admin(500, 5).jobs().resume(job.id(), dies);

    assertThat(result.id()).isEqualTo(job.id());
    assertThat(result.isDone()).isTrue();
    assertThat(result.examined()).isEqualTo(CUSTOM + (long) PLAIN);
    assertThat(result.changed()).isEqualTo(PLAIN);
    assertThat(WRITES.get() - writesBefore).isEqualTo(PLAIN);
    assertThat(CLOCK.nowMs() - startMs).isGreaterThanOrEqualTo(PLAIN / 500 * 1_000 - 10);
    assertThat(LARGEST.get()).isLessThanOrEqualTo(100);
    for (int i = 0; i < PLAIN; i++) {
      assertThat(World.limitsOf(stored("p" + i))).isEqualTo(changed);
    }
    assertThat(World.limitsOf(stored("c" + CUSTOM / 2))).isEqualTo(OWN);
  }

  private static BucketState stored(String entityId) {
    return Objects.requireNonNull(
        MEMORY.snapshot(BucketKey.first(World.NS, entityId, "r")), entityId);
  }
}
