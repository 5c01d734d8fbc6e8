package dev.millrace.tests.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.SchemaMismatchException;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.admin.migration.Migration;
import dev.millrace.dynamodb.admin.migration.MigrationOptions;
import dev.millrace.dynamodb.admin.migration.MigrationReport;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A table of both older schemas, migrated while limiters are at work, and interrupted twice on the
 * way. {@code -Dmillrace.migration.buckets=50000} makes it as large as one likes.
 */
class MigrationIT {
  private static final int BUCKETS = Integer.getInteger("millrace.migration.buckets", 200);
  private static final int LIMITERS = 3;
  private static final long BREATH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Fewest answers that limiters must have given by the time that the migration is done. */
  private static final int LEAST_ANSWERS = 600;

  /** Ten a day: what is refilled during the test stays below one token, and is reckoned with. */
  private static final Limit RPD = Limit.custom("rpd", 50, 50, Duration.ofDays(5));

  private static final Limit TPD = Limit.custom("tpd", 5_000, 50, Duration.ofDays(5));
  private static final LimitSet LIMITS = LimitSet.of(RPD, TPD);

  /**
   * Many pages, so that there is something to resume: each of the four segments has ended one
   * before a quarter of the buckets is done. But not more because the table is large.
   */
  private static final int PAGE = Math.max(8, Math.min(MigrationOptions.MAX_PAGE, BUCKETS / 50));

  private static final MigrationOptions OPTIONS =
      MigrationOptions.defaults().withPageSize(PAGE).withUnitsPerSecond(1_000_000);

  /** A busy machine is not the subject here. */
  private static final LimiterOptions PATIENT =
      LimiterOptions.builder().timeout(Duration.ofMinutes(1)).build();

  /** What an entity had in the old table. */
  private record Had(long rpdMilli, long rpdConsumedMilli, long refilledAtMs) {}

  private final DynamoDbClient client = Dynamo.client();
  private final OldTable table = OldTable.create(client);
  private final Map<String, Had> had = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> admitted = new ConcurrentHashMap<>();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicLong answers = new AtomicLong();

  private void fill() {
    SplittableRandom random = new SplittableRandom(7);
    long nowMs = System.currentTimeMillis();
    for (int i = 0; i < BUCKETS; i++) {
      String entity = "e" + i;
      long refilledAtMs = nowMs - random.nextLong(60_000);
      LimitState rpd =
          new LimitState(RPD, random.nextLong(-2_000, 6_000), random.nextLong(1_000_000));
      LimitState tpd =
          new LimitState(TPD, random.nextLong(4_000_000, 5_000_000), random.nextLong(1_000_000));
      had.put(entity, new Had(rpd.tokensMilli(), rpd.consumedMilli(), refilledAtMs));
      admitted.put(entity, new AtomicLong());
      if (i % 2 == 0) {
        table.put(OldTable.composite(entity, refilledAtMs, List.of(rpd, tpd)));
      } else {
        table.put(OldTable.perLimit(entity, refilledAtMs, rpd));
        table.put(OldTable.perLimit(entity, refilledAtMs - random.nextLong(10_000), tpd));
      }
    }
    table.flush();
  }

  /** Asks for entities at random, more often than any of them can be admitted. */
  private Void traffic(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    try (RateLimiter limiter = RateLimiter.create(DynamoStore.of(client, table.name), PATIENT)) {
      while (!stop.get()) {
        String entity = "e" + random.nextInt(BUCKETS);
        AcquireRequest request =
            AcquireRequest.of(entity, OldTable.RESOURCE)
                .limits(LIMITS)
                .consume("rpd", 1)
                .consume("tpd", 2);
        if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
          granted.lease().close();
          Objects.requireNonNull(admitted.get(entity)).incrementAndGet();
        } else {
          LockSupport.parkNanos(BREATH_NANOS); // a refusal from memory takes no time at all
        }
        answers.incrementAndGet();
      }
    }
    return null;
  }

  private static DynamoDbClient killable(KillSwitch killSwitch) {
    return DynamoDbClient.builder()
        .endpointOverride(Dynamo.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(Dynamo.credentials())
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .overrideConfiguration(
            c -> {
              SafeRetries.configure(c);
              c.addExecutionInterceptor(killSwitch);
            })
        .build();
  }

  /** Begins a migration and kills it after so many transactions. */
  private void interrupt(MigrationOptions options, long transactions) {
    KillSwitch killSwitch = new KillSwitch();
    killSwitch.after(transactions);
    try (DynamoDbClient dying = killable(killSwitch)) {
      assertThatThrownBy(() -> Migration.of(dying, table.name, options).run(report -> {}))
          .isInstanceOf(KillSwitch.Killed.class);
      assertThat(killSwitch.count("TransactWriteItems")).isPositive();
    }
  }

  @Test
  void run_underTrafficAndKilledTwice_keepsEveryBalanceAndCounter() {
    fill();
    MigrationReport look = Migration.of(client, table.name, OPTIONS).dryRun(report -> {});
    assertThat(look.perLimit()).isEqualTo(BUCKETS / 2);
    assertThat(look.composite()).isEqualTo(BUCKETS - BUCKETS / 2);
    assertThat(table.oldItems()).isEqualTo(BUCKETS + BUCKETS / 2);

    Migration.of(client, table.name, OPTIONS).prepare();
    List<Background<Void>> callers = new ArrayList<>();
    for (int i = 0; i < LIMITERS; i++) {
      long seed = i;
      callers.add(Background.start(() -> traffic(seed)));
    }
    interrupt(OPTIONS, BUCKETS / 4);
    assertThat(table.count("#JOB#migration-")).isPositive();
    interrupt(OPTIONS.resuming(), BUCKETS / 4);
    List<MigrationReport> reports =
        Migration.of(client, table.name, OPTIONS.resuming()).run(report -> {});
    Await.until(() -> answers.get() >= LEAST_ANSWERS, "traffic goes on");
    stop.set(true);
    callers.forEach(caller -> Await.result(caller.result()));

    MigrationReport verified = reports.get(reports.size() - 1);
    assertThat(verified.pass()).isEqualTo(MigrationReport.Pass.VERIFY);
    assertThat(verified.isComplete()).as("%s", verified).isTrue();
    assertThat(verified.defects()).isEmpty();
    assertThat(verified.verified()).isEqualTo(BUCKETS);
    assertThat(verified.consumedMilli()).isEqualTo(look.consumedMilli());
    assertEveryEntityHasWhatItHad();
    assertThat(table.version()).containsKey("oldest"); // the fences are still there

    List<MigrationReport> cleaned =
        Migration.of(client, table.name, OPTIONS.cleaningUp()).run(report -> {});
    assertThat(cleaned.get(cleaned.size() - 1).deleted()).isEqualTo(BUCKETS);
    assertThat(table.oldItems()).isZero();
    assertThat(table.count("#JOB#migration-")).isZero();
    assertThat(table.version()).doesNotContainKey("oldest").containsKey("schema_version");
    assertEveryEntityHasWhatItHad();
    assertThatAnotherRunWritesNothing();
  }

  @Test
  void run_itemsThatMakeNoSense_areNamedAndLeaveTheTableUnfinished() {
    Map<String, AttributeValue> nobodys =
        new HashMap<>(OldTable.composite("x", 1, List.of(new LimitState(RPD, 1, 1))));
    nobodys.put("PK", OldTable.text("ENTITY#x"));
    Map<String, AttributeValue> hostile =
        new HashMap<>(OldTable.perLimit("y", 1, new LimitState(RPD, 1, 1)));
    hostile.put("refill_period_ms", OldTable.number(-1));
    table.put(nobodys);
    table.put(hostile);
    table.put(OldTable.composite("good", 1, List.of(new LimitState(RPD, 1, 1))));
    table.flush();

    List<MigrationReport> reports =
        Migration.of(client, table.name, OPTIONS.cleaningUp()).run(report -> {});

    assertThat(reports)
        .extracting(MigrationReport::pass)
        .containsExactly(MigrationReport.Pass.CARRY_OVER, MigrationReport.Pass.VERIFY);
    assertThat(reports.get(0).moved()).isEqualTo(1);
    assertThat(reports.get(1).isComplete()).isFalse();
    assertThat(reports.get(1).corrupt().keySet())
        .extracting(ItemAddress::partition)
        .containsExactlyInAnyOrder("ENTITY#x", "default/ENTITY#y");
    assertThat(table.version()).containsKey("oldest");
  }

  @Test
  void run_tableOfANewerVersion_isRefused() {
    client.updateItem(
        r ->
            r.tableName(table.name)
                .key(OldTable.address("_/SYSTEM#", "#VERSION"))
                .updateExpression("SET version = :v")
                .expressionAttributeValues(Map.of(":v", OldTable.number(4))));

    assertThatThrownBy(() -> Migration.of(client, table.name, OPTIONS).run(report -> {}))
        .isInstanceOf(SchemaMismatchException.class);
  }

  /** A limiter that did not know of the old bucket made a full one. */
  @Test
  void run_bucketThatWasMadeWithoutTheOldOne_isChargedWhatThatLacked() {
    long nowMs = System.currentTimeMillis();
    table.put(OldTable.composite("blind", nowMs, List.of(new LimitState(RPD, 10_000, 40_000))));
    table.flush();
    client.updateItem(
        r ->
            r.tableName(table.name)
                .key(OldTable.address("_/SYSTEM#", "#VERSION"))
                .updateExpression("SET version = :v")
                .expressionAttributeValues(Map.of(":v", OldTable.number(3))));
    try (RateLimiter limiter = RateLimiter.create(DynamoStore.of(client, table.name), PATIENT)) {
      limiter
          .acquire(
              AcquireRequest.of("blind", OldTable.RESOURCE)
                  .limits(LimitSet.of(RPD))
                  .consume("rpd", 5))
          .close();
    }

    List<MigrationReport> reports = Migration.of(client, table.name, OPTIONS).run(report -> {});

    assertThat(reports).extracting(MigrationReport::merged).containsExactly(0L, 1L, 0L);
    LimitState rpd =
        Objects.requireNonNull(Objects.requireNonNull(table.today("blind")).find("rpd"));
    // It had 50 and 5 were consumed; the old one lacked 40, less what it earned since.
    assertThat(rpd.tokensMilli()).isBetween(4_990L, 5_500L);
    assertThat(rpd.consumedMilli()).isEqualTo(45_000);
  }

  /** Old items are in the index of their resource, where changes of limits look for buckets. */
  @Test
  void limits_changedWhileThereAreOldBuckets_reachTodaysOnly() {
    long nowMs = System.currentTimeMillis();
    table.put(OldTable.composite("moved", nowMs, List.of(new LimitState(RPD, 10_000, 0))));
    table.put(OldTable.perLimit("unmoved", nowMs, new LimitState(RPD, 10_000, 0)));
    table.flush();
    Migration.of(client, table.name, OPTIONS).prepare();
    try (Admin admin =
            Admin.of(DynamoStore.of(client, table.name), AdminOptions.of("test@example.com"));
        RateLimiter limiter = RateLimiter.create(DynamoStore.of(client, table.name), PATIENT)) {
      admin.in("default").limits().set(LimitTarget.resource(OldTable.RESOURCE), LIMITS);
      AcquireRequest request = AcquireRequest.of("moved", OldTable.RESOURCE).consume("rpd", 1);
      limiter.acquire(request).close();

      LimitSet lower = LimitSet.of(Limit.custom("rpd", 4, 1, Duration.ofDays(5)));
      ChangeResult result =
          admin.in("default").limits().set(LimitTarget.resource(OldTable.RESOURCE), lower);
      assertThat(Objects.requireNonNull(result.buckets()).isDone()).isTrue();
    }
    BucketState bucket = Objects.requireNonNull(table.today("moved"));
    assertThat(bucket.limits()).hasSize(1);
    assertThat(bucket.limits().get(0).tokensMilli()).isEqualTo(4_000);
    assertThat(table.today("unmoved")).isNull();
  }

  private void assertEveryEntityHasWhatItHad() {
    long admittedInAll = 0;
    for (Map.Entry<String, Had> entry : had.entrySet()) {
      String entity = entry.getKey();
      Had before = entry.getValue();
      long admittedMilli = Objects.requireNonNull(admitted.get(entity)).get() * 1_000;
      BucketState bucket = Objects.requireNonNull(table.today(entity), entity);
      LimitState rpd = Objects.requireNonNull(bucket.find("rpd"));
      long earnedMilli = RPD.refill().creditMilli(before.refilledAtMs(), bucket.refilledAtMs());

      assertThat(rpd.consumedMilli())
          .as("counter of %s", entity)
          .isEqualTo(before.rpdConsumedMilli() + admittedMilli);
      assertThat(admittedMilli)
          .as("admitted to %s, which had %s", entity, before)
          .isLessThanOrEqualTo(Math.max(0, before.rpdMilli() + earnedMilli));
      assertThat(rpd.tokensMilli())
          .as("left to %s, which had %s", entity, before)
          .isEqualTo(before.rpdMilli() + earnedMilli - admittedMilli);
      admittedInAll += admittedMilli;
    }
    assertThat(admittedInAll).isPositive();
  }

  private void assertThatAnotherRunWritesNothing() {
    KillSwitch counting = new KillSwitch();
    try (DynamoDbClient counted = killable(counting)) {
      List<MigrationReport> again =
          Migration.of(counted, table.name, OPTIONS.cleaningUp()).run(report -> {});
      assertThat(again).hasSize(1);
      assertThat(again.get(0).isClean()).isTrue();
    }
    assertThat(counting.writes()).isZero();
    assertThat(counting.count("Scan")).isPositive();
  }
}
