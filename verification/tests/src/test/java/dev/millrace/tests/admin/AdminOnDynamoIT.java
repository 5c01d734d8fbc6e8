package dev.millrace.tests.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.AuditEntry;
import dev.millrace.admin.AuditQuery;
import dev.millrace.admin.BulkResult;
import dev.millrace.admin.CapacityTotals;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityAdmin;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.JobView;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.Page;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What operators do, on DynamoDB; the details are tested on the store in memory. */
class AdminOnDynamoIT {
  private static final LimitSet RPM_5 = LimitSet.of(Limit.perMinute("rpm", 5));
  private static final LimitSet RPM_10 = LimitSet.of(Limit.perMinute("rpm", 10));
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final long TIMEOUT_MS = 20_000;

  private static DynamoDbClient client;
  private static BlockingStore store;
  private static Admin admin;

  private String id = "";
  private NamespaceAdmin ns = admin.in("default");

  @BeforeAll
  static void open() {
    client = Dynamo.client();
    store = DynamoStore.of(client, Dynamo.newTable(client));
    admin =
        Admin.of(
            store,
            AdminOptions.builder("tester")
                .timeout(Duration.ofMillis(TIMEOUT_MS))
                .maxWritesPerSecond(100_000)
                .purgeAfter(Duration.ZERO)
                .build());
  }

  @AfterAll
  static void close() {
    admin.close();
    client.close();
  }

  @BeforeEach
  void namespace() {
    String name = "ns-" + NAMES.incrementAndGet();
    id = admin.namespaces().register(name).id();
    ns = admin.in(name);
  }

  private void bucket(String entityId, int shard, int shards, LimitSet limits, ConfigStamp stamp) {
    List<LimitState> full = new ArrayList<>();
    limits.forEach(limit -> full.add(LimitState.full(limit, ShardShare.of(shard, shards))));
    BucketState state =
        new BucketState(
            new BucketKey(id, entityId, "r", shard),
            System.currentTimeMillis(),
            full,
            Division.of(shards, shards),
            WriteUnits.DYNAMODB.fullMilli(),
            BucketState.NEVER,
            "made",
            stamp);
    assertThat(store.execute(new StoreCall.Write(new WritePlan.Create(state)), TIMEOUT_MS))
        .isInstanceOf(StoreReply.Applied.class);
  }

  private BucketState stored(String entityId, int shard) {
    StoreReply reply =
        store.execute(new StoreCall.Read(new BucketKey(id, entityId, "r", shard)), TIMEOUT_MS);
    return Objects.requireNonNull(((StoreReply.Found) reply).state());
  }

  private static <T> List<T> all(BiFunction<Integer, @Nullable String, Page<T>> pages, int size) {
    List<T> all = new ArrayList<>();
    String cursor = null;
    do {
      Page<T> page = pages.apply(size, cursor);
      all.addAll(page.items());
      cursor = page.cursor();
    } while (cursor != null);
    return all;
  }

  @Test
  void entities_wholeLife_isAsInMemory() {
    EntityAdmin entities = ns.entities();
    List<NewEntity> many = new ArrayList<>();
    many.add(NewEntity.of("org").named("Organisation").with(Map.of("plan", "gold", "empty", "")));
    for (int i = 0; i < 120; i++) {
      many.add(NewEntity.of("key-" + i).under("org").cascading());
    }

    assertThat(entities.createAll(many)).isEqualTo(new BulkResult(121, List.of()));
    assertThat(entities.createAll(many).existing()).hasSize(121);
    assertThat(all((size, cursor) -> entities.children("org", size, cursor), 50)).hasSize(120);
    assertThat(all(entities::roots, 50)).extracting(Entity::id).containsExactly("org");
    Entity org = entities.get("org").orElseThrow();
    assertThat(org.children()).isEqualTo(120);
    assertThat(org.metadata()).isEqualTo(Map.of("plan", "gold", "empty", ""));

    entities.update("org", EntityUpdate.none().name("").cascade(true));
    entities.create(NewEntity.of("deep").under("key-7"));
    entities.move("key-7", "key-8");
    assertThat(entities.ancestors("deep"))
        .extracting(Entity::id)
        .containsExactly("key-7", "key-8", "org");
    assertThatThrownBy(() -> entities.move("org", "deep"))
        .isInstanceOf(ChangeRefusedException.class)
        .hasMessageContaining("own ancestor");
    assertThatThrownBy(() -> entities.delete("org")).hasMessageContaining("has children");
    entities.moveToTop("key-7");
    assertThat(entities.get("org").orElseThrow().children()).isEqualTo(119);
    assertThat(ns.audit().ofEntity("key-7", AuditQuery.newest(10)).items())
        .extracting(AuditEntry::action)
        .containsExactly("entity.move", "entity.move", "entity.create");
  }

  @Test
  void move_deepTrees_areRefusedAtNineLevels() {
    EntityAdmin entities = ns.entities();
    entities.create(NewEntity.of("a1"));
    entities.create(NewEntity.of("b1"));
    for (int level = 2; level <= 5; level++) {
      entities.create(NewEntity.of("a" + level).under("a" + (level - 1)));
      entities.create(NewEntity.of("b" + level).under("b" + (level - 1)));
    }
    assertThatThrownBy(() -> entities.move("b2", "a5")).hasMessageContaining("too deep");
    entities.move("b3", "a5");
    assertThat(entities.ancestors("b5")).hasSize(7);
    assertThat(ns.jobs().unfinished(10, null).items()).isEmpty();
  }

  @Test
  void limits_everyLevel_reachesEveryShard() {
    ns.limits().set(LimitTarget.system(), RPM_10);
    ConfigStamp system =
        new ConfigStamp(ConfigLevel.SYSTEM, RecordVersions.of(ConfigLevel.SYSTEM, 1), false);
    for (int i = 0; i < 30; i++) {
      bucket("e" + i, 0, 2, RPM_10, system);
      bucket("e" + i, 1, 2, RPM_10, system);
    }

    assertFollow(ns.limits().set(LimitTarget.entityResource("e0", "r"), RPM_5).buckets(), 2);
    assertThat(stored("e0", 1).stamp().level()).isEqualTo(ConfigLevel.ENTITY_RESOURCE);
    assertThat(stored("e0", 1).expiresAtSeconds()).isEqualTo(BucketState.NEVER);
    assertFollow(ns.limits().set(LimitTarget.entity("e1"), RPM_5).buckets(), 2);
    assertFollow(ns.limits().set(LimitTarget.resource("r"), RPM_5).buckets(), 56);
    assertFollow(ns.limits().delete(LimitTarget.resource("r")).buckets(), 56);
    assertFollow(
        ns.limits().set(LimitTarget.system(), LimitSet.of(Limit.perMinute("rpm", 7))).buckets(),
        56);
    assertThat(stored("e29", 1).limits().get(0).limit()).isEqualTo(Limit.perMinute("rpm", 7));
    assertFollow(ns.limits().setDisabled("r", true).buckets(), 60);
    assertThat(stored("e0", 0).stamp().disabled()).isTrue();
    assertFollow(ns.limits().setDisabled("r", false).buckets(), 60);
    assertThat(stored("e0", 0).limits().get(0).limit()).isEqualTo(RPM_5.get(0));

    ns.limits().setOnUnavailable(OnUnavailable.ALLOW);
    ns.limits().setAuditRetentionDays(5);
    assertThat(ns.limits().settings().onUnavailable()).isEqualTo(OnUnavailable.ALLOW);
    assertThat(all((size, cursor) -> ns.limits().ofEntities("r", size, cursor), 10))
        .extracting(StoredLimits::limits)
        .containsExactly(RPM_5);
    assertThat(ns.limits().explain("e1", "r").level()).isEqualTo(ConfigLevel.ENTITY);
    CapacityTotals totals = ns.buckets().capacity("r", (page, sums) -> {});
    assertThat(totals.buckets()).isEqualTo(30);
    assertThat(Objects.requireNonNull(totals.limits().get("rpm")).capacityMilli())
        .as("each counted once, however many shards")
        .isEqualTo(28 * 7_000 + 2 * 5_000);
  }

  private static void assertFollow(@Nullable JobView job, long changed) {
    assertThat(Objects.requireNonNull(job).isDone()).isTrue();
    assertThat(job.changed()).isEqualTo(changed);
  }

  @Test
  void fanOut_killed_isResumedByAnother() {
    ns.limits().set(LimitTarget.resource("r"), RPM_10);
    for (int i = 0; i < 150; i++) {
      bucket(
          "e" + i,
          0,
          1,
          RPM_10,
          new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.RESOURCE, 1), false));
    }
    ProgressListener dies =
        report -> {
          throw new IllegalStateException("killed");
        };
    assertThatThrownBy(
            () ->
                ns.limits()
                    .set(LimitTarget.resource("r"), RPM_5, SetOptions.DEFAULT.reportingTo(dies)))
        .hasMessage("killed");

    List<JobView> resumed = ns.jobs().resumeAll(ProgressListener.NONE);

    assertThat(resumed).hasSize(1);
    assertThat(resumed.get(0).changed()).isEqualTo(150);
    assertThat(stored("e149", 0).limits().get(0).limit()).isEqualTo(RPM_5.get(0));
  }

  @Test
  void buckets_resetAndTopUp_areDoneOnce() {
    for (int shard = 0; shard < 4; shard++) {
      bucket("e", shard, 4, RPM_10, ConfigStamp.CALL);
    }
    assertThat(ns.buckets().reset("e", "r", Set.of("rpm"), "op-1").shards()).isEqualTo(4);
    assertThat(ns.buckets().reset("e", "r", Set.of("rpm"), "op-1").doneBefore()).isTrue();
    assertThat(ns.buckets().topUp("e", "r", Map.of("rpm", 5L), "op-2").doneBefore()).isFalse();
    assertThat(ns.buckets().get("e", "r").orElseThrow().limits().get(0).available()).isEqualTo(10);
    assertThat(ns.buckets().resize("e", "r", 8)).isTrue();
    assertThat(ns.buckets().get("e", "r").orElseThrow().targetShards()).isEqualTo(8);
    assertThat(ns.audit().all(AuditQuery.newest(10)).items())
        .extracting(AuditEntry::action)
        .containsExactly("bucket.resize", "bucket.topUp", "bucket.reset");
  }

  @Test
  void delete_withEverything_leavesOnlyAVersion() {
    ns.entities().create(NewEntity.of("e0"));
    ns.limits().set(LimitTarget.entityResource("e0", "r"), RPM_5);
    ns.limits().set(LimitTarget.entityResource("e0", "s"), RPM_5);
    bucket("e0", 0, 2, RPM_5, ConfigStamp.CALL);
    bucket("e0", 1, 2, RPM_5, ConfigStamp.CALL);

    assertThat(ns.entities().delete("e0").isDone()).isTrue();

    assertThat(ns.entities().get("e0")).isEmpty();
    assertThat(ns.buckets().get("e0", "r")).isEmpty();
    assertThat(ns.limits().ofEntity("e0", 10, null).items()).isEmpty();
    assertThat(all(ns.entities()::roots, 10)).isEmpty();
    assertThat(ns.entities().create(NewEntity.of("e0")).version())
        .as("later than what anybody may have read of the first")
        .isGreaterThan(1);
    assertThat(ns.limits().explain("e0", "r").versions().entityResource()).isGreaterThan(1);
  }

  @Test
  void namespaces_deletedAndPurged_areGone() {
    String name = "gone-" + NAMES.incrementAndGet();
    String gone = admin.namespaces().register(name).id();
    admin.in(name).entities().createAll(List.of(NewEntity.of("a"), NewEntity.of("b")));
    ns.entities().create(NewEntity.of("kept"));
    admin.namespaces().delete(name);
    assertThat(admin.namespaces().recover(name).state()).isEqualTo(NamespaceRecord.State.ACTIVE);
    admin.namespaces().delete(name);

    assertThat(admin.namespaces().purge(name, ProgressListener.NONE).changed()).isEqualTo(4);

    assertThat(admin.namespaces().get(name)).isEmpty();
    assertThat(admin.namespaces().orphans(ProgressListener.NONE).items()).doesNotContainKey(gone);
    assertThat(ns.entities().get("kept")).isPresent();
    assertThat(admin.namespaces().audit(name, AuditQuery.newest(10)).items()).hasSize(5);
    assertThat(all(admin.namespaces()::list, 3)).isNotEmpty();

    bucketOf("ghost");
    assertThat(admin.namespaces().orphans(ProgressListener.NONE).items())
        .containsEntry("ghost", 1L);
    assertThat(admin.namespaces().purgeOrphans("ghost", ProgressListener.NONE).changed())
        .isEqualTo(1);
    assertThat(admin.namespaces().orphans(ProgressListener.NONE).items()).isEmpty();
  }

  private void bucketOf(String unknown) {
    BucketState full = BucketState.full(BucketKey.first(unknown, "e", "r"), RPM_5, 1);
    store.execute(new StoreCall.Write(new WritePlan.Create(full)), TIMEOUT_MS);
  }
}
