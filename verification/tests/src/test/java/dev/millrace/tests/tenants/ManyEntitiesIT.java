package dev.millrace.tests.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.admin.JobView;
import dev.millrace.admin.LimitTarget;
import dev.millrace.client.support.Ledger;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.tests.support.Dynamo;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Many entities with limits of their own for one resource, and many that follow the resource.
 * {@code -Dmillrace.entities=100000} for the whole of it; the ordinary run has fewer, because
 * DynamoDB Local writes a few thousand items a second.
 */
@Tag("alone")
class ManyEntitiesIT {
  private static final int ENTITIES = Integer.getInteger("millrace.entities", 1_000);
  private static final int FOLLOWERS = ENTITIES / 5;
  private static final int BATCH = 25;
  private static final String RESOURCE = "popular";
  private static final LimitSet OWN = Tenants.set("rpm:500", "tpm:100000");
  private static final String BEFORE = "rpm:100";
  private static final String AFTER = "rpm:40";

  private static DynamoDbClient client;
  private static String table;
  private static BlockingStore store;
  private static Tenants tenants;

  @BeforeAll
  static void fillTable() {
    client = Dynamo.client();
    table = Dynamo.newTable(client);
    store = DynamoStore.of(client, table);
    tenants = new Tenants(store);
    tenants.admin().limits().set(LimitTarget.resource(RESOURCE), Tenants.set(BEFORE));
    List<List<Map<String, AttributeValue>>> batches = new ArrayList<>();
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      items.add(RecordCodec.encode(config("own-" + i)));
      items.add(BucketCodec.encode(bucket("own-" + i, OWN, ConfigLevel.ENTITY_RESOURCE)));
    }
    for (int i = 0; i < FOLLOWERS; i++) {
      items.add(
          BucketCodec.encode(bucket("follows-" + i, Tenants.set(BEFORE), ConfigLevel.RESOURCE)));
    }
    for (int from = 0; from < items.size(); from += BATCH) {
      batches.add(items.subList(from, Math.min(items.size(), from + BATCH)));
    }
    batches.parallelStream().forEach(ManyEntitiesIT::put);
  }

  private static void put(List<Map<String, AttributeValue>> items) {
    List<WriteRequest> puts =
        items.stream()
            .map(item -> WriteRequest.builder().putRequest(put -> put.item(item)).build())
            .toList();
    assertThat(client.batchWriteItem(write -> write.requestItems(Map.of(table, puts))))
        .matches(response -> response.unprocessedItems().isEmpty());
  }

  private static ConfigRecord config(String entity) {
    return ConfigRecord.empty(RecordKey.Config.ofEntityResource("default", entity, RESOURCE))
        .withLimits(OWN);
  }

  private static BucketState bucket(String entity, LimitSet limits, ConfigLevel level) {
    long nowMs = System.currentTimeMillis();
    long own = level == ConfigLevel.ENTITY_RESOURCE ? 1 : 0;
    return new BucketState(
        key(entity),
        nowMs,
        IntStream.range(0, limits.size()).mapToObj(i -> LimitState.full(limits.get(i))).toList(),
        level == ConfigLevel.ENTITY_RESOURCE ? BucketState.NEVER : nowMs / 1_000 + 3_600,
        "set-up",
        new ConfigStamp(level, new RecordVersions(0, own, 0, 1, 0), /* disabled= */ false));
  }

  private static BucketKey key(String entity) {
    return BucketKey.first("default", entity, RESOURCE);
  }

  @AfterAll
  static void close() {
    tenants.close();
    client.close();
  }

  private static String line(Process process) throws Exception {
    return process.inputReader(StandardCharsets.UTF_8).readLine();
  }

  @Test
  void list_entitiesWithOwnLimits_isCompleteInLittleMemory() throws Exception {
    Process process = TenantWorker.start(table, "list", RESOURCE, "", "100000");

    assertThat(line(process)).isEqualTo("LISTED " + ENTITIES);
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void capacity_ofTheResource_isCompleteInLittleMemory() throws Exception {
    Process process = TenantWorker.start(table, "capacity", RESOURCE, "", "100000");

    assertThat(line(process)).isEqualTo("SEEN " + (ENTITIES + FOLLOWERS));
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void set_resourceLevelKilledOnTheWay_isResumedToTheEnd() throws Exception {
    Process process = TenantWorker.start(table, "set", RESOURCE, AFTER, "300");
    try {
      BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      assertThat(output.readLine()).as("its progress").startsWith("AT ");
      assertThat(output.readLine()).as("its progress").startsWith("AT ");
    } finally {
      process.destroyForcibly().waitFor();
    }
    List<JobView> left = tenants.admin().jobs().unfinished(10, null).items();
    assertThat(left).as("the work that it left").hasSize(1);
    long examinedBefore = left.get(0).examined();
    assertThat(examinedBefore).isBetween(1L, (long) ENTITIES + FOLLOWERS - 1);

    AtomicLong reports = new AtomicLong();
    JobView result =
        tenants.admin().jobs().resume(left.get(0).id(), at -> reports.incrementAndGet());

    assertThat(result.isDone()).isTrue();
    assertThat(result.examined()).isEqualTo((long) ENTITIES + FOLLOWERS);
    assertThat(reports.get()).as("pages of progress").isPositive();
    assertThat(tenants.admin().jobs().unfinished(10, null).items()).isEmpty();
    for (int i = 0; i < FOLLOWERS; i += Math.max(1, FOLLOWERS / 200)) {
      assertThat(Ledger.read(store, key("follows-" + i)).find("rpm"))
          .extracting(LimitState::limit)
          .isEqualTo(Tenants.limit(AFTER));
    }
    for (int i = 0; i < ENTITIES; i += Math.max(1, ENTITIES / 50)) {
      BucketState own = Ledger.read(store, key("own-" + i));
      assertThat(own.limits()).extracting(LimitState::limit).isEqualTo(OWN.asList());
      assertThat(own.op()).as("not written: its limits did not change").isEqualTo("set-up");
    }
  }
}
