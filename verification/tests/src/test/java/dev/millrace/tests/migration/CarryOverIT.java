package dev.millrace.tests.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.MillraceException;
import dev.millrace.RateLimiter;
import dev.millrace.SchemaMismatchException;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.admin.migration.Migration;
import dev.millrace.dynamodb.admin.migration.MigrationOptions;
import dev.millrace.dynamodb.admin.migration.MigrationReport;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The first contact with a bucket of an older schema. */
class CarryOverIT {
  /** Ten a day: what is refilled during a test stays below one. */
  private static final Limit RPD = Limit.custom("rpd", 100, 100, Duration.ofDays(10));

  private static final Limit TPD = Limit.custom("tpd", 1_000, 100, Duration.ofDays(10));

  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;
  private static OldTable table;

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    asyncClient = Dynamo.asyncClient(Dynamo.endpoint());
    table = OldTable.create(client);
    migration().prepare();
  }

  @AfterAll
  static void close() {
    asyncClient.close();
    client.close();
  }

  private static Migration migration() {
    return Migration.of(
        client, table.name, MigrationOptions.defaults().withUnitsPerSecond(100_000));
  }

  /** With a long time limit: a busy machine is not the subject here. */
  private static LimiterOptions.Builder options() {
    return LimiterOptions.builder().timeout(Duration.ofMinutes(1));
  }

  private static RateLimiter limiter() {
    return RateLimiter.create(DynamoStore.of(client, table.name), options().build());
  }

  private static AcquireRequest request(String entity, long rpd) {
    return AcquireRequest.of(entity, OldTable.RESOURCE)
        .limits(LimitSet.of(RPD))
        .consume("rpd", rpd);
  }

  private static long now() {
    return System.currentTimeMillis();
  }

  private static void putComposite(String entity, LimitState... limits) {
    table.put(OldTable.composite(entity, now() - 1_000, List.of(limits)));
    table.flush();
  }

  private static LimitState rpd(long tokens, long consumed) {
    return new LimitState(RPD, tokens * 1_000, consumed * 1_000);
  }

  private static LimitState today(String entity, String limit) {
    BucketState state = Objects.requireNonNull(table.today(entity), entity);
    return Objects.requireNonNull(state.find(limit), limit);
  }

  private static boolean isGranted(Acquisition result) {
    if (result instanceof Acquisition.Granted granted) {
      granted.lease().close();
      return true;
    }
    return false;
  }

  /** What is left in an entity's bucket may be admitted, and not one more. */
  private static void assertDrains(RateLimiter limiter, String entity, int left) {
    for (int i = 0; i < left; i++) {
      assertThat(isGranted(limiter.tryAcquire(request(entity, 1))))
          .as("%s of %s", i, left)
          .isTrue();
    }
    assertThat(isGranted(limiter.tryAcquire(request(entity, 1)))).isFalse();
  }

  @Test
  void acquire_compositeBucket_carriesBalanceAndCounterOver() {
    putComposite("composite", rpd(5, 77));
    try (RateLimiter limiter = limiter()) {
      assertDrains(limiter, "composite", 5);
    }

    assertThat(today("composite", "rpd").consumedMilli()).isEqualTo(82_000);
    assertThat(table.old("composite", "#BUCKET#gpt-4")).containsKey("moved");
  }

  @Test
  void acquire_itemsOfOneLimit_carriesAllOver() {
    table.put(OldTable.perLimit("per-limit", now() - 5_000, rpd(4, 9)));
    table.put(OldTable.perLimit("per-limit", now() - 1_000, new LimitState(TPD, 600_000, 400_000)));
    table.flush();
    AcquireRequest both =
        AcquireRequest.of("per-limit", OldTable.RESOURCE)
            .limits(LimitSet.of(RPD, TPD))
            .consume("rpd", 1)
            .consume("tpd", 200);
    try (RateLimiter limiter = limiter()) {
      List<Boolean> answers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        answers.add(isGranted(limiter.tryAcquire(both)));
      }
      assertThat(answers).containsExactly(true, true, true, false, false);
    }
    assertThat(today("per-limit", "rpd").consumedMilli()).isEqualTo(12_000);
    assertThat(today("per-limit", "tpd").consumedMilli()).isEqualTo(1_000_000);
  }

  @Test
  void acquire_debt_isKept() {
    putComposite("debt", rpd(-3, 103));
    try (RateLimiter limiter = limiter()) {
      assertDrains(limiter, "debt", 0);
    }
    assertThat(today("debt", "rpd").consumedMilli()).isEqualTo(103_000);
  }

  @Test
  void acquireAsync_oldBucket_isCarriedOver() {
    putComposite("async", rpd(1, 0));
    try (RateLimiter limiter =
        RateLimiter.create(DynamoStore.of(client, asyncClient, table.name), options().build())) {
      assertThat(Await.result(limiter.tryAcquireAsync(request("async", 1))))
          .isInstanceOf(Acquisition.Granted.class);
      assertThat(Await.result(limiter.tryAcquireAsync(request("async", 1))))
          .isInstanceOf(Acquisition.Refused.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void acquire_storedLimitsAndParents_areReconciledAndDrawnOn(Consistency consistency) {
    String child = "child-" + consistency.name().toLowerCase(Locale.ROOT);
    String parent = "parent-" + consistency.name().toLowerCase(Locale.ROOT);
    putComposite(child, rpd(50, 1), new LimitState(TPD, 1_000, 5_000));
    putComposite(parent, rpd(2, 2));
    try (Admin admin =
            Admin.of(DynamoStore.of(client, table.name), AdminOptions.of("test@example.com"));
        RateLimiter limiter =
            RateLimiter.create(
                DynamoStore.of(client, table.name), options().consistency(consistency).build())) {
      NamespaceAdmin tenants = admin.in("default");
      tenants.entities().create(NewEntity.of(parent));
      tenants.entities().create(NewEntity.of(child).under(parent).cascading());
      // Of the child's limits one was lowered, and one is gone.
      tenants
          .limits()
          .set(
              LimitTarget.entityResource(child, OldTable.RESOURCE),
              LimitSet.of(Limit.custom("rpd", 10, 10, Duration.ofDays(1))));
      tenants.limits().set(LimitTarget.entityResource(parent, OldTable.RESOURCE), LimitSet.of(RPD));
      AcquireRequest stored = AcquireRequest.of(child, OldTable.RESOURCE).consume("rpd", 1);

      assertThat(isGranted(limiter.tryAcquire(stored))).isTrue();
      assertThat(isGranted(limiter.tryAcquire(stored))).isTrue();
      assertThat(isGranted(limiter.tryAcquire(stored))).isFalse(); // the parent has none
    }
    BucketState bucket = Objects.requireNonNull(table.today(child));
    assertThat(bucket.find("tpd")).isNull();
    assertThat(today(child, "rpd").tokensMilli()).isBetween(8_000L, 8_999L);
    assertThat(today(child, "rpd").consumedMilli()).isEqualTo(3_000);
    assertThat(today(parent, "rpd").consumedMilli()).isEqualTo(4_000);
  }

  @Test
  void acquire_manyLimitersAndTheMigrationAtOnce_carryOverOnce() throws Exception {
    int limiters = 6;
    putComposite("race", rpd(40, 7));
    AtomicLong admitted = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    List<Background<Void>> callers = new ArrayList<>();
    for (int i = 0; i < limiters; i++) {
      callers.add(
          Background.start(
              () -> {
                try (RateLimiter limiter = limiter()) {
                  start.await();
                  for (int n = 0; n < 12; n++) {
                    if (isGranted(limiter.tryAcquire(request("race", 1)))) {
                      admitted.incrementAndGet();
                    }
                  }
                }
                return null;
              }));
    }
    start.countDown();
    List<MigrationReport> unused = migration().run(report -> {});
    callers.forEach(caller -> Await.result(caller.result()));

    assertThat(admitted).hasValue(40);
    assertThat(today("race", "rpd").consumedMilli()).isEqualTo(47_000);
  }

  @Test
  void oldClient_afterTheCarryOver_isRefusedAndItsSettlementsAreCharged() {
    putComposite("mixed", rpd(10, 0));
    OldClient old = new OldClient(table, "mixed", RPD);
    Map<String, AttributeValue> before = old.read();
    try (RateLimiter limiter = limiter()) {
      assertThat(isGranted(limiter.tryAcquire(request("mixed", 4)))).isTrue();

      // One that read before loses its lock, one that reads now sees the fence.
      assertThat(old.acquire(before, 1_000, now())).isFalse();
      assertThat(old.acquire(old.read(), 1_000, now())).isFalse();
      assertThat(old.acquire(old.read(), 1_000, now() + 365L * 86_400_000)).isFalse();
      // A lease from before settles: it cost two more.
      old.adjust(2_000);
      List<MigrationReport> unused = migration().run(report -> {});
    }
    try (RateLimiter limiter = limiter()) {
      assertDrains(limiter, "mixed", 4);
    }
    assertThat(today("mixed", "rpd").consumedMilli()).isEqualTo(10_000);
  }

  @Test
  void oldClient_betweenReadAndTransaction_isCarriedOverToo() {
    putComposite("late", rpd(10, 0));
    OldClient old = new OldClient(table, "late", RPD);
    assertThat(old.acquire(old.read(), 3_000, now())).isTrue();
    try (RateLimiter limiter = limiter()) {
      assertDrains(limiter, "late", 7);
    }
    assertThat(today("late", "rpd").consumedMilli()).isEqualTo(10_000);
  }

  @Test
  void acquire_corruptOldBucket_isRefusedByName() {
    Map<String, AttributeValue> item =
        new HashMap<>(OldTable.composite("corrupt", now(), List.of(rpd(1, 1))));
    item.remove("b_rpd_cp");
    client.putItem(r -> r.tableName(table.name).item(item));
    try (RateLimiter limiter = limiter()) {
      assertThatThrownBy(() -> limiter.tryAcquire(request("corrupt", 1)))
          .isInstanceOf(MillraceException.class)
          .hasMessageContaining("default/ENTITY#corrupt");
    } finally {
      client.deleteItem(
          r ->
              r.tableName(table.name)
                  .key(OldTable.address("default/ENTITY#corrupt", "#BUCKET#gpt-4")));
    }
    assertThat(table.today("corrupt")).isNull();
  }

  @Test
  void acquire_tableThatWasNotPrepared_isRefused() {
    OldTable unprepared = OldTable.create(client);
    try (RateLimiter limiter =
        RateLimiter.create(DynamoStore.of(client, unprepared.name), options().build())) {
      assertThatThrownBy(() -> limiter.tryAcquire(request("anybody", 1)))
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("migrate the table first");
    }
  }

  @Test
  void acquire_noOldBucket_makesANewOne() {
    try (RateLimiter limiter = limiter()) {
      assertDrains(limiter, "new", 100);
    }
    assertThat(today("new", "rpd").consumedMilli()).isEqualTo(100_000);
  }
}
