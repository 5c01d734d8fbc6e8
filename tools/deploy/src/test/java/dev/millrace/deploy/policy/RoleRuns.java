package dev.millrace.deploy.policy;

import dev.millrace.AcquireRequest;
import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Sharding;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.deploy.LocalEngine;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Everything that limiters, administrators and readers do, done once on DynamoDB Local. */
final class RoleRuns implements AutoCloseable {
  static final String NAMESPACE = "tenants";
  static final String RESOURCE = "gpt-4";
  private static final int PAGE = 10;
  private static final int DRAWS = 40;

  final String table = LocalEngine.newName();
  final DynamoDbClient dynamo = LocalEngine.client();
  private final BlockingStore store = DynamoStore.of(dynamo, table);
  private final Admin admin;
  private final String namespaceId;

  RoleRuns() {
    TableAdmin.of(dynamo, table).createIfMissing();
    admin = Admin.of(store, AdminOptions.builder("test").purgeAfter(Duration.ofMillis(1)).build());
    namespaceId = admin.namespaces().register(NAMESPACE).id();
    NamespaceAdmin tenants = admin.in(NAMESPACE);
    tenants.entities().create(NewEntity.of("acme"));
    tenants.entities().create(NewEntity.of("key").under("acme").cascading());
    tenants
        .limits()
        .set(LimitTarget.resource(RESOURCE), LimitSet.of(Limit.perMinute("rpm", 1_000)));
    tenants
        .limits()
        .set(LimitTarget.resource("budget"), LimitSet.of(Limit.perMinute("cents", 1_000)));
  }

  String namespaceId() {
    return namespaceId;
  }

  @Override
  public void close() {
    admin.close();
    dynamo.close();
  }

  private static AcquireRequest request(String entity, long amount) {
    return AcquireRequest.of(entity, RESOURCE).consume("rpm", amount);
  }

  private RateLimiter limiter() {
    return RateLimiter.create(
        store,
        LimiterOptions.builder()
            .namespace(NAMESPACE)
            .timeout(Duration.ofMinutes(1))
            .sharding(Sharding.DEFAULT.withTimes(Duration.ofMillis(1), Duration.ofHours(1)))
            .build());
  }

  /** Acquires, refusals, settlements, hierarchies, transactions, splits, merges, wide requests. */
  Set<ApiCall> limiters() throws Exception {
    return Recorder.during(
        () -> {
          try (RateLimiter limiter = limiter()) {
            try (var lease = limiter.acquire(request("key", 1).and("budget", "cents", 3))) {
              lease.adjust("rpm", 2);
            }
            limiter.acquire(request("key", 1).consistency(Consistency.TRANSACTIONAL)).cancel();
            limiter.tryAcquire(request("key", 1_001));
            limiter.available("key", RESOURCE);
            limiter.acquire(request("hot", 1)).close();
            divide(limiter, 4);
            limiter.acquire(request("hot", 600)).close(); // more than any shard has
            divide(limiter, 1);
          }
          return null;
        });
  }

  /** Lets the limiter find that there should be so many shards, and draw on them. */
  private void divide(RateLimiter limiter, int shards) {
    resizeUnheard(shards);
    limiter.forgetBuckets();
    for (int i = 0; i < DRAWS; i++) {
      limiter.acquire(request("hot", 1)).close();
    }
  }

  private void resizeUnheard(int shards) {
    Recorder.unheard(() -> admin.in(NAMESPACE).buckets().resize("hot", RESOURCE, shards));
  }

  /** What concerns one namespace only, and reads no whole table. */
  Set<ApiCall> administrationOfNamespace() throws Exception {
    return Recorder.during(
        () -> {
          try (Admin own = Admin.of(store, AdminOptions.of("ops"))) {
            administer(own.in(NAMESPACE));
          }
          return null;
        });
  }

  private void administer(NamespaceAdmin tenants) {
    tenants.entities().createAll(List.of(NewEntity.of("a").under("acme"), NewEntity.of("b")));
    tenants.entities().update("a", EntityUpdate.none().cascade(true));
    tenants.entities().move("a", "b");
    tenants.entities().moveToTop("a");
    LimitTarget own = LimitTarget.entityResource("key", RESOURCE);
    tenants.limits().set(own, LimitSet.of(Limit.perMinute("rpm", 50)));
    tenants.limits().set(LimitTarget.resource(RESOURCE), LimitSet.of(Limit.perMinute("rpm", 90)));
    tenants.limits().setCascade(own, false);
    tenants.limits().setAuditRetentionDays(30);
    tenants.limits().delete(own);
    tenants.entities().setDisabled("key", true);
    tenants.entities().setDisabled("key", false);
    tenants.buckets().reset("key", RESOURCE, "op-1");
    tenants.buckets().topUp("key", RESOURCE, Map.of("rpm", 1L), "op-2");
    tenants.jobs().resumeAll(progress -> {});
    tenants.entities().delete("a", /* forgiveDebt= */ true, progress -> {});
    tenants.entities().delete("key", /* forgiveDebt= */ true, progress -> {});
    see(tenants);
  }

  /** What concerns the whole table: namespaces, and limits of a whole namespace. */
  Set<ApiCall> administrationOfTable() throws Exception {
    return Recorder.during(
        () -> {
          try (Admin own =
              Admin.of(
                  store, AdminOptions.builder("ops").purgeAfter(Duration.ofMillis(1)).build())) {
            own.namespaces().register("other");
            own.in("other").entities().create(NewEntity.of("x"));
            own.in("other")
                .limits()
                .set(LimitTarget.system(), LimitSet.of(Limit.perMinute("rpm", 5)));
            own.namespaces().delete("other");
            own.namespaces().recover("other");
            own.namespaces().delete("other");
            awaitPurgeable();
            own.namespaces().purge("other", progress -> {});
            own.namespaces().list(PAGE, null);
            own.namespaces().orphans(progress -> {});
          }
          return null;
        });
  }

  /** A millisecond and a bit more. */
  private static void awaitPurgeable() {
    long end = System.nanoTime() + Duration.ofMillis(20).toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  Set<ApiCall> readers() throws Exception {
    return Recorder.during(
        () -> {
          try (Admin own = Admin.of(store, AdminOptions.of("reader"));
              RateLimiter limiter = limiter()) {
            see(own.in(NAMESPACE));
            limiter.available("acme", RESOURCE);
          }
          return null;
        });
  }

  private void see(NamespaceAdmin tenants) {
    tenants.entities().get("acme");
    tenants.entities().children("acme", PAGE, null);
    tenants.entities().roots(PAGE, null);
    tenants.limits().get(LimitTarget.resource(RESOURCE));
    tenants.limits().explain("acme", RESOURCE);
    tenants.limits().ofEntities(RESOURCE, PAGE, null);
    tenants.limits().ofResources(PAGE, null);
    tenants.limits().ofEntity("acme", PAGE, null);
    tenants.limits().settings();
    tenants.buckets().get("acme", RESOURCE);
    tenants.buckets().ofResource(RESOURCE, PAGE, null);
    tenants.audit().ofEntity("acme", AuditQuery.newest(PAGE));
    tenants.audit().all(AuditQuery.newest(PAGE));
    tenants.jobs().unfinished(PAGE, null);
    var usage = tenants.usage(DynamoUsageStore.of(dynamo, table));
    Instant now = Instant.now();
    usage.summary("acme", RESOURCE, Window.DAY, now.minus(Duration.ofDays(2)), now);
    usage.top(RESOURCE, "rpm", Window.DAY, now, PAGE);
    usage.alongAncestors("acme", RESOURCE, Window.DAY, now);
    usage.ofChildren("acme", RESOURCE, Window.DAY, now);
  }
}
