package dev.millrace.tests.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Consistency;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.Settlement;
import dev.millrace.Sharding;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.admin.migration.Migration;
import dev.millrace.dynamodb.admin.migration.MigrationOptions;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Every request that fixed scenarios send to DynamoDB is as it was recorded: table, keys,
 * expressions, names and values, in order. Tables are shared by processes of several versions, so a
 * change of a request is a decision and never a side effect.
 */
class StoreRequestsIT {
  private static final String RESOURCE = "gpt-4";
  private static final Limit RPM = Limit.perMinute("rpm", 10);
  private static final Limit TPM = Limit.perMinute("tpm", 1_000).withBurst(2_000);
  private static final LimitSet LIMITS = LimitSet.of(RPM, TPM, Limit.perDay("rpd", 100).asSoft());

  private static AcquireRequest request(String entity) {
    return AcquireRequest.of(entity, RESOURCE);
  }

  private static AcquireRequest limited(long rpm, long tpm) {
    return request("key").limits(LIMITS).consume("rpm", rpm).consume("tpm", tpm);
  }

  private static Lease acquire(RecordedTable table, RateLimiter limiter, AcquireRequest request) {
    table.log.title("acquire " + request.tokens());
    return limiter.acquire(request);
  }

  private static boolean isGranted(Acquisition result) {
    return result instanceof Acquisition.Granted;
  }

  @Test
  void table_created() throws IOException {
    try (RecordedTable table = new RecordedTable("table")) {
      table.step("create", () -> table.create("other"));
      table.assertAsRecorded();
    }
  }

  @Test
  void acquire_coldWarmAndByAnotherProcess() throws IOException {
    try (RecordedTable table = new RecordedTable("acquire");
        RateLimiter limiter = table.limiter(table.options());
        RateLimiter other = table.limiter(table.options())) {
      table.step("the first one creates the bucket", () -> limiter.acquire(limited(1, 10)));
      table.advance(37);
      table.step("nothing returned yet: without the lock", () -> limiter.acquire(limited(1, 10)));
      table.advance(7_000);
      table.step("tokens returned: under the lock", () -> limiter.acquire(limited(1, 10)));
      table.step("another process reads first", () -> other.acquire(limited(2, 20)));
      table.advance(10_000);
      table.step("the mirror is old by now", () -> limiter.acquire(limited(1, 30)));
      table.step("a soft limit", () -> limiter.acquire(limited(1, 1).consume("rpd", 200)));
      table.step("availability", () -> other.available("key", RESOURCE, RPM, TPM));
      table.assertAsRecorded();
    }
  }

  @Test
  void refuse_byTheConditionAndFromMemory() throws IOException {
    try (RecordedTable table = new RecordedTable("refuse");
        RateLimiter limiter = table.limiter(table.options());
        RateLimiter other = table.limiter(table.options())) {
      limiter.acquire(limited(2, 20));
      other.acquire(limited(7, 20));
      table.step(
          "the mirror has enough, the bucket has not",
          () -> assertThat(isGranted(limiter.tryAcquire(limited(5, 10)))).isFalse());
      table.step(
          "from memory, nothing is sent",
          () -> assertThat(isGranted(limiter.tryAcquire(limited(5, 10)))).isFalse());
      table.advance(6_000);
      table.step(
          "a token returned, two are wanted",
          () -> assertThat(isGranted(limiter.tryAcquire(limited(3, 10)))).isFalse());
      table.step(
          "more than the limit",
          () -> assertThat(isGranted(limiter.tryAcquire(limited(11, 10)))).isFalse());
      table.assertAsRecorded();
    }
  }

  @Test
  void settle_upDownCancelledAndDeferred() throws IOException {
    try (RecordedTable table = new RecordedTable("settle");
        RateLimiter limiter =
            table.limiter(table.options().sharding(Sharding.DEFAULT.withMaxShards(1)))) {
      Lease more = limiter.acquire(limited(1, 100));
      more.adjust("tpm", 1_950);
      table.advance(20);
      table.step("more than was charged, into debt", more::close);
      table.advance(120_000);
      Lease less = acquire(table, limiter, limited(1, 500));
      less.adjust("tpm", -300);
      table.step("less than was charged", less::close);
      Lease cancelled = acquire(table, limiter, limited(1, 500));
      table.step("cancelled", cancelled::cancel);
      Lease exact = acquire(table, limiter, limited(1, 5));
      table.step("exact: nothing is sent", exact::close);
      Lease unnamed = acquire(table, limiter, request("key").limits(LIMITS).consume("rpm", 1));
      unnamed.adjust("rpd", 3);
      table.step("a limit that the request did not name", unnamed::close);
      Lease deferred = acquire(table, limiter, limited(1, 10).settlement(Settlement.DEFERRED));
      deferred.adjust("tpm", 25);
      table.step("deferred: nothing is sent", deferred::close);
      Lease last = acquire(table, limiter, limited(1, 10).settlement(Settlement.DEFERRED));
      last.adjust("tpm", 7);
      table.step("deferred again", last::close);
      table.step("closing the limiter writes what is deferred", limiter::close);
      table.assertAsRecorded();
    }
  }

  @Test
  void prefetch_ofABusyBucket() throws IOException {
    try (RecordedTable table = new RecordedTable("prefetch");
        RateLimiter limiter = table.limiter(table.options().prefetch(true))) {
      Limit busy = Limit.perMinute("rpm", 60_000);
      AcquireRequest one = request("key").limits(busy).consume("rpm", 1);
      for (int i = 0; i < 60; i++) {
        table.step("call " + (i + 1), () -> limiter.acquire(one));
        table.advance(2);
      }
      table.step("closing gives back what is left", limiter::close);
      table.assertAsRecorded();
    }
  }

  private static void chain(RecordedTable table) {
    table.admin().entities().create(NewEntity.of("acme").named("Acme"));
    table.admin().entities().create(NewEntity.of("team").under("acme").cascading());
    table
        .admin()
        .entities()
        .create(NewEntity.of("key").under("team").cascading().with(Map.of("tier", "gold")));
    table.admin().limits().set(LimitTarget.resource(RESOURCE), LimitSet.of(RPM, TPM));
    table
        .admin()
        .limits()
        .set(
            LimitTarget.entityResource("acme", RESOURCE),
            LimitSet.of(Limit.perMinute("rpm", 15), TPM));
  }

  @Test
  void cascade_overParents() throws IOException {
    try (RecordedTable table = new RecordedTable("cascade");
        RateLimiter limiter = table.limiter(table.options());
        RateLimiter other = table.limiter(table.options())) {
      table.step("entities and limits", () -> chain(table));
      AcquireRequest one = request("key").consume("rpm", 4).consume("tpm", 10);
      table.step("cold", () -> limiter.acquire(one).close());
      table.advance(100);
      table.step("warm", () -> limiter.acquire(one).close());
      other.acquire(request("acme").consume("rpm", 5));
      table.advance(10_000);
      table.step(
          "the top refuses, the others get theirs back",
          () -> assertThat(isGranted(limiter.tryAcquire(one))).isFalse());
      table.advance(60_000);
      AcquireRequest joint = one.consistency(Consistency.TRANSACTIONAL);
      table.step("in one transaction", () -> limiter.acquire(joint).cancel());
      other.acquire(request("acme").consume("rpm", 13));
      table.step(
          "a transaction that is refused",
          () -> assertThat(isGranted(limiter.tryAcquire(joint))).isFalse());
      table.step(
          "two resources",
          () -> limiter.acquire(request("team").consume("rpm", 1).and("gpt-5", "rpm", 0)));
      table.assertAsRecorded();
    }
  }

  private static void acquireUntilShards(RecordedTable table, RateLimiter limiter, int shards) {
    AcquireRequest one = request("hot").limits(Limit.perDay("rpd", 1_000)).consume("rpd", 1);
    for (int i = 0; i < 200; i++) {
      var stored = table.admin().buckets().shards("hot", RESOURCE);
      if (stored.size() == shards) {
        return;
      }
      table.advance(60);
      table.step("acquire " + (i + 1), () -> limiter.acquire(one));
    }
    throw new AssertionError("never became " + shards + " shards");
  }

  @Test
  void splitAndMerge_byHand() throws IOException {
    try (RecordedTable table = new RecordedTable("split-and-merge");
        RateLimiter limiter = table.limiter(table.options().partitionWriteUnits(1_000_000))) {
      Limit rpd = Limit.perDay("rpd", 1_000);
      table.step(
          "undivided", () -> limiter.acquire(request("hot").limits(rpd).consume("rpd", 100)));
      table.step("resize to 4", () -> table.admin().buckets().resize("hot", RESOURCE, 4));
      acquireUntilShards(table, limiter, 4);
      table.step(
          "more than any shard has",
          () -> limiter.acquire(request("hot").limits(rpd).consume("rpd", 500)).cancel());
      table.step(
          "more than all shards have",
          () ->
              assertThat(
                      isGranted(limiter.tryAcquire(request("hot").limits(rpd).consume("rpd", 990))))
                  .isFalse());
      table.step("resize to 1", () -> table.admin().buckets().resize("hot", RESOURCE, 1));
      acquireUntilShards(table, limiter, 1);
      table.assertAsRecorded();
    }
  }

  @Test
  void split_byPressure() throws IOException {
    try (RecordedTable table = new RecordedTable("split-by-pressure");
        RateLimiter limiter = table.limiter(table.options().partitionWriteUnits(4))) {
      AcquireRequest one = request("hot").limits(Limit.perDay("rpd", 1_000)).consume("rpd", 1);
      for (int i = 0; i < 16; i++) {
        table.step("acquire " + (i + 1), () -> limiter.acquire(one));
        table.advance(20);
      }
      table.assertAsRecorded();
    }
  }

  @Test
  void change_ofConfiguration() throws IOException {
    try (RecordedTable table = new RecordedTable("change");
        RateLimiter limiter = table.limiter(table.options())) {
      table.step("entities and limits", () -> chain(table));
      AcquireRequest one = request("team").consume("rpm", 1).consume("tpm", 1);
      table.step("acquire", () -> limiter.acquire(one));
      LimitTarget target = LimitTarget.entityResource("team", RESOURCE);
      LimitSet other = LimitSet.of(RPM, Limit.perHour("tph", 5_000).asSoft());
      table.step("a limit added, one gone", () -> table.admin().limits().set(target, other));
      table.step("under the new limits", () -> limiter.acquire(request("team").consume("rpm", 1)));
      table.advance(61_000);
      table.step(
          "with records looked up again",
          () -> limiter.acquire(request("team").consume("rpm", 1).consume("tph", 2)));
      table.step(
          "another period, allowed",
          () ->
              table
                  .admin()
                  .limits()
                  .set(
                      target,
                      LimitSet.of(Limit.perHour("rpm", 30).withBurst(40)),
                      SetOptions.DEFAULT.allowingOtherPeriods()));
      table.step("switch off", () -> table.admin().entities().setDisabled("team", true));
      table.advance(61_000);
      table.step(
          "switched off",
          () ->
              assertThat(isGranted(limiter.tryAcquire(request("team").consume("rpm", 1))))
                  .isFalse());
      table.step("switch on", () -> table.admin().entities().setDisabled("team", false));
      table.step("limits deleted", () -> table.admin().limits().delete(target));
      table.step("without parents", () -> table.admin().limits().setCascade(target, Boolean.FALSE));
      table.step("moved", () -> table.admin().entities().moveToTop("team"));
      table.step(
          "renamed",
          () -> table.admin().entities().update("team", EntityUpdate.none().name("The team")));
      table.step(
          "answer when unavailable",
          () -> table.admin().limits().setOnUnavailable(OnUnavailable.ALLOW));
      table.step("reset", () -> table.admin().buckets().reset("team", RESOURCE, "operation-1"));
      table.step("deleted", () -> table.admin().entities().delete("key"));
      table.assertAsRecorded();
    }
  }

  @Test
  void regions_shareALimit() throws IOException {
    try (RecordedTable table = new RecordedTable("regions");
        RateLimiter limiter = table.limiter(table.options())) {
      LimitTarget target = LimitTarget.entityResource("acme", RESOURCE);
      table.admin().entities().create(NewEntity.of("acme"));
      table.step(
          "settings",
          () ->
              table
                  .admin()
                  .regions()
                  .settings(texts -> new TreeMap<>(Map.of("self", "eu", "regions", "eu,us"))));
      table.step(
          "share",
          () ->
              table
                  .admin()
                  .regions()
                  .share(
                      target,
                      LimitSet.of(Limit.perMinute("rpm", 100)),
                      LimitSet.of(Limit.perMinute("rpm", 50), TPM),
                      ProgressListener.NONE));
      table.step(
          "acquire of the part",
          () -> limiter.acquire(request("acme").consume("rpm", 20).consume("tpm", 1)));
      table.step(
          "a smaller part",
          () ->
              table
                  .admin()
                  .regions()
                  .share(
                      target,
                      LimitSet.of(Limit.perMinute("rpm", 100)),
                      LimitSet.of(Limit.perMinute("rpm", 30), TPM),
                      ProgressListener.NONE));
      table.step(
          "mark",
          () ->
              table.admin().regions().mark(LimitTarget.resource(RESOURCE), ProgressListener.NONE));
      table.step(
          "acquire of the smaller part", () -> limiter.acquire(request("acme").consume("rpm", 5)));
      table.assertAsRecorded();
    }
  }

  @Test
  void listings_pageByPage() throws IOException {
    try (RecordedTable table = new RecordedTable("listings");
        RateLimiter limiter = table.limiter(table.options())) {
      chain(table);
      limiter.acquire(request("key").consume("rpm", 1));
      table.step("roots", () -> table.admin().entities().roots(10, null));
      table.step("children", () -> table.admin().entities().children("acme", 10, null));
      table.step("limits of entities", () -> table.admin().limits().ofEntities(RESOURCE, 1, null));
      table.step("limits of all entities", () -> table.admin().limits().ofEntities(10, null));
      table.step("limits of resources", () -> table.admin().limits().ofResources(10, null));
      table.step("limits of an entity", () -> table.admin().limits().ofEntity("acme", 10, null));
      table.step("buckets of an entity", () -> table.admin().buckets().ofEntity("key", 10, null));
      table.step("all buckets", () -> table.admin().buckets().all(10, null));
      table.step("capacity", () -> table.admin().buckets().ofResource(RESOURCE, 10, null));
      table.step("audit", () -> table.admin().audit().all(AuditQuery.newest(3)));
      table.step(
          "audit of an entity", () -> table.admin().audit().ofEntity("key", AuditQuery.newest(3)));
      table.step("jobs", () -> table.admin().jobs().unfinished(10, null));
      table.assertAsRecorded();
    }
  }

  @Test
  void usage_countedAndListed() throws IOException {
    try (RecordedTable table = new RecordedTable("usage")) {
      DynamoUsageStore usage = DynamoUsageStore.of(table.client, table.name);
      UsageKey key =
          UsageKey.at("default", "key", RESOURCE, Window.HOUR, RecordedTable.START_MS + 1);
      SequenceNumber first = SequenceNumber.of("100");
      SequenceNumber last = SequenceNumber.of("105");
      Map<Integer, UsageWrite.Run> runs = Map.of(0, new UsageWrite.Run(first, last));
      UsageWrite inOrder =
          new UsageWrite(
              key,
              new TreeMap<>(Map.of("rpm", 2_000L, "tpm", 40_000L)),
              2,
              new UsageWrite.InOrder("stream", runs),
              4_200_000_000L);
      table.step("in order", () -> usage.apply(inOrder));
      table.step("again", () -> usage.apply(inOrder));
      table.step(
          "late",
          () ->
              usage.apply(
                  new UsageWrite(
                      key,
                      Map.of("rpm", 1_000L),
                      1,
                      new UsageWrite.Late("stream", SequenceNumber.of("99")),
                      UsageWrite.NEVER)));
      table.step("find", () -> usage.find(List.of(key)));
      table.step(
          "of a resource",
          () ->
              usage.list(
                  new UsageListing.OfResource("default", RESOURCE, Window.HOUR, key.startMs()),
                  10,
                  null));
      table.step(
          "of an entity",
          () ->
              usage.list(
                  new UsageListing.OfEntity(
                      "default",
                      "key",
                      RESOURCE,
                      Window.HOUR,
                      key.startMs(),
                      key.startMs() + 3_600_000),
                  10,
                  null));
      table.assertAsRecorded();
    }
  }

  private static Map<String, AttributeValue> old(String partition, String sort) {
    return new HashMap<>(
        Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS(sort)));
  }

  @Test
  void carryOver_ofAnOldBucket() throws IOException {
    try (RecordedTable table = new RecordedTable("carry-over")) {
      Map<String, AttributeValue> version = old("_/SYSTEM#", "#VERSION");
      version.put("schema_version", AttributeValue.fromS("0.8.0"));
      Map<String, AttributeValue> bucket = old("default/ENTITY#key", "#BUCKET#" + RESOURCE);
      bucket.put("entity_id", AttributeValue.fromS("key"));
      bucket.put("resource", AttributeValue.fromS(RESOURCE));
      bucket.put("rf", AttributeValue.fromN(Long.toString(RecordedTable.START_MS - 5_000)));
      bucket.put("b_rpm_tk", AttributeValue.fromN("3000"));
      bucket.put("b_rpm_tc", AttributeValue.fromN("77000"));
      for (String field : List.of("cp", "bx", "ra")) {
        bucket.put("b_rpm_" + field, AttributeValue.fromN("10000"));
      }
      bucket.put("b_rpm_rp", AttributeValue.fromN("60000"));
      table.step(
          "the old table",
          () -> {
            table.client.putItem(put -> put.tableName(table.name).item(version));
            table.client.putItem(put -> put.tableName(table.name).item(bucket));
          });
      MigrationOptions options = MigrationOptions.defaults();
      table.step(
          "prepare the migration", () -> Migration.of(table.client, table.name, options).prepare());
      try (RateLimiter limiter = table.limiter(table.options())) {
        AcquireRequest one = request("key").limits(RPM).consume("rpm", 1);
        table.step("acquire carries the bucket over", () -> limiter.acquire(one));
        table.step("acquire again", () -> limiter.acquire(one));
      }
      table.assertAsRecorded();
    }
  }
}
