package dev.millrace.tests.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.LimitTarget;
import dev.millrace.client.support.AdmissionLog;
import dev.millrace.client.support.Ledger;
import dev.millrace.client.support.Load;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Limits, switches and parents that change while many callers are at work. */
class LimitChangeIT {
  private static final long GRAIN_MS = 100;
  private static final String HIGH = "rps:400/sec:2000";
  private static final String LOW = "rps:5/sec";

  private static DynamoDbClient client;
  private static BlockingStore store;
  private static Tenants tenants;

  /** Where the limits of a test are stored. */
  enum At {
    ENTITY_RESOURCE,
    ENTITY,
    RESOURCE
  }

  @BeforeAll
  static void createTable() {
    client = Dynamo.client();
    store = DynamoStore.of(client, Dynamo.newTable(client));
    tenants = new Tenants(store);
  }

  @AfterAll
  static void close() {
    tenants.close();
    client.close();
  }

  private static RateLimiter limiter() {
    return RateLimiter.create(
        store, LimiterOptions.builder().timeout(Duration.ofMinutes(1)).build());
  }

  private static LimitTarget target(At level, String entity, String resource) {
    return switch (level) {
      case ENTITY_RESOURCE -> LimitTarget.entityResource(entity, resource);
      case ENTITY -> LimitTarget.entity(entity);
      case RESOURCE -> LimitTarget.resource(resource);
    };
  }

  /** What was surely admitted after {@code ms}, or before it. */
  private static AdmissionLog part(AdmissionLog all, long ms, boolean after) {
    AdmissionLog part = new AdmissionLog();
    for (AdmissionLog.Admission each : all.admissions()) {
      if (after ? each.calledMs() >= ms : each.returnedMs() <= ms) {
        part.add(each.calledMs(), each.returnedMs(), each.milli());
      }
    }
    return part;
  }

  @ParameterizedTest
  @EnumSource
  void set_lowerUnderLoad_holdsFromTheMomentItReturns(At level) throws Exception {
    String entity = "low-" + level;
    String resource = "change-" + level;
    tenants.admin().limits().set(target(level, entity, resource), Tenants.set(HIGH));
    try (RateLimiter one = limiter();
        RateLimiter other = limiter()) {
      CompletableFuture<Load> first = load(one, entity, resource);
      CompletableFuture<Load> second = load(other, entity, resource);
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));

      ChangeResult result =
          tenants.admin().limits().set(target(level, entity, resource), Tenants.set(LOW));
      long changedMs = System.currentTimeMillis();

      BucketState bucket = Ledger.read(store, bucket(entity, resource));
      assertThat(result.changed()).isTrue();
      assertThat(limitOf(bucket)).isEqualTo(Tenants.limit(LOW));
      assertThat(Objects.requireNonNull(bucket.find("rps")).tokensMilli())
          .as("clipped, never minted")
          .isLessThanOrEqualTo(Tenants.limit(LOW).burstMilli());
      AdmissionLog all = first.join().admissions();
      all.addAll(second.join().admissions());
      assertThat(part(all, changedMs, /* after= */ false).totalMilli()).isPositive();
      assertThat(part(all, changedMs, /* after= */ true).totalMilli()).isPositive();
      assertThat(
              part(all, changedMs, /* after= */ true).worstRatio(Tenants.limit(LOW), GRAIN_MS, 0))
          .as("the new limit, from the moment of the change")
          .isLessThanOrEqualTo(1.0);
      assertThat(all.worstRatio(Tenants.limit(HIGH), GRAIN_MS, 0))
          .as("the old limit, over all")
          .isLessThanOrEqualTo(1.0);
      assertThat(one.metrics().outdated() + other.metrics().outdated())
          .as("both processes noticed at the bucket")
          .isGreaterThanOrEqualTo(2);
    }
  }

  private static CompletableFuture<Load> load(RateLimiter limiter, String entity, String resource) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return Load.run(
                limiter,
                () -> AcquireRequest.of(entity, resource).consume("rps", 1),
                "rps",
                4,
                5_000);
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private static dev.millrace.BucketKey bucket(String entity, String resource) {
    return dev.millrace.BucketKey.first("default", entity, resource);
  }

  private static Limit limitOf(BucketState bucket) {
    return Objects.requireNonNull(bucket.find("rps")).limit();
  }

  /** Fault 5: live buckets kept the limits that they were created with. */
  @Test
  void set_resourceOrSystemLevel_reachesEveryLiveBucket() {
    String resource = "everybody";
    tenants.admin().limits().set(LimitTarget.resource(resource), Tenants.set("rpm:50"));
    List<String> entities = IntStream.range(0, 30).mapToObj(i -> "e" + i).toList();
    try (RateLimiter limiter = limiter()) {
      for (String entity : entities) {
        limiter.acquire(AcquireRequest.of(entity, resource).consume("rpm", 1)).close();
      }

      ChangeResult changed =
          tenants.admin().limits().set(LimitTarget.resource(resource), Tenants.set("rpm:2"));

      assertThat(Objects.requireNonNull(changed.buckets()).changed()).isEqualTo(30);
      for (String entity : entities) {
        int admitted = 0;
        for (int i = 0; i < 5; i++) {
          admitted +=
              limiter.tryAcquire(AcquireRequest.of(entity, resource).consume("rpm", 1))
                      instanceof Acquisition.Granted
                  ? 1
                  : 0;
        }
        assertThat(admitted).as("of 5, with 2 left").isEqualTo(2);
      }
      tenants.admin().limits().delete(LimitTarget.resource(resource));
    }
  }

  /** The bucket of an entity+resource limit never expires; when that limit goes, it does again. */
  @Test
  void set_limitsMoveBetweenLevels_switchesTheExpiry() {
    String entity = "moving";
    String resource = "levels";
    tenants.admin().limits().set(LimitTarget.resource(resource), Tenants.set("rpm:100"));
    try (RateLimiter limiter = limiter()) {
      limiter.acquire(AcquireRequest.of(entity, resource).consume("rpm", 1)).close();
      assertThat(Ledger.read(store, bucket(entity, resource)).expiresAtSeconds()).isPositive();

      tenants
          .admin()
          .limits()
          .set(LimitTarget.entityResource(entity, resource), Tenants.set("rpm:200"));
      assertThat(Ledger.read(store, bucket(entity, resource)).expiresAtSeconds())
          .isEqualTo(BucketState.NEVER);
      limiter.acquire(AcquireRequest.of(entity, resource).consume("rpm", 1)).close();
      assertThat(Ledger.read(store, bucket(entity, resource)).expiresAtSeconds())
          .isEqualTo(BucketState.NEVER);

      tenants.admin().limits().delete(LimitTarget.entityResource(entity, resource));
      BucketState fallenBack = Ledger.read(store, bucket(entity, resource));
      assertThat(fallenBack.expiresAtSeconds()).isPositive();
      assertThat(Objects.requireNonNull(fallenBack.find("rpm")).limit())
          .isEqualTo(Tenants.limit("rpm:100"));
    }
  }

  @Test
  void disable_resourceAndEntity_refusesAtOnceAndKeepsLimits() {
    String resource = "switched";
    tenants.admin().entities().create(dev.millrace.admin.NewEntity.of("switch-key"));
    tenants.admin().limits().set(LimitTarget.resource(resource), Tenants.set("rpm:100"));
    AcquireRequest request = AcquireRequest.of("switch-key", resource).consume("rpm", 1);
    try (RateLimiter limiter = limiter()) {
      limiter.acquire(request).close();

      tenants.admin().limits().setDisabled(resource, true);
      assertThat(limiter.tryAcquire(request)).isInstanceOf(Acquisition.Disabled.class);
      tenants.admin().entities().setDisabled("switch-key", true);
      tenants.admin().limits().setDisabled(resource, false);
      assertThat(limiter.tryAcquire(request)).isInstanceOf(Acquisition.Disabled.class);
      tenants.admin().entities().setDisabled("switch-key", false);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_100)); // off is believed for a second

      assertThat(limiter.tryAcquire(request)).isInstanceOf(Acquisition.Granted.class);
      assertThat(
              Objects.requireNonNull(Ledger.read(store, bucket("switch-key", resource)).find("rpm"))
                  .consumedMilli())
          .isEqualTo(2_000);
    }
  }

  /** From the moment that a move returns, the new parent is charged, in every process. */
  @Test
  void move_warmProcesses_chargeTheNewParentAtOnce() {
    tenants.chain("mover", "old-team");
    tenants.chain("new-team");
    for (String id : List.of("mover", "old-team", "new-team")) {
      tenants.limits(id, "rpm:1000");
    }
    AcquireRequest request = AcquireRequest.of("mover", Tenants.RESOURCE).consume("rpm", 1);
    try (RateLimiter one = limiter();
        RateLimiter other = limiter()) {
      one.acquire(request).close();
      other.acquire(request).close();

      tenants.admin().entities().move("mover", "new-team");
      one.acquire(request).close();
      other.acquire(request).close();

      assertThat(counted("old-team")).isEqualTo(2_000);
      assertThat(counted("new-team")).isEqualTo(2_000);
      assertThat(counted("mover")).isEqualTo(4_000);
    }
  }

  private static long counted(String entity) {
    return Objects.requireNonNull(Ledger.read(store, Tenants.bucket(entity)).find("rpm"))
        .consumedMilli();
  }
}
