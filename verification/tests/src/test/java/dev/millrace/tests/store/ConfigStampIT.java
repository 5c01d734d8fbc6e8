package dev.millrace.tests.store;

import static dev.millrace.tests.store.DirectoryTable.audit;
import static dev.millrace.tests.store.DirectoryTable.bucket;
import static dev.millrace.tests.store.DirectoryTable.entity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.tests.store.DirectoryTable.Port;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stamps, switches and soft limits of buckets, and many buckets at once, over the protocol. */
class ConfigStampIT {
  private static final LimitChange TAKE_ONE =
      new LimitChange("rpm", -1_000, 1_000, 1_000, LimitChange.NO_CEILING);

  private static DirectoryTable table;

  private final String ns = DirectoryTable.newNamespace();
  private final BucketKey key = BucketKey.first(ns, "x", "gpt-4");

  @BeforeAll
  static void open() {
    table = new DirectoryTable();
  }

  @AfterAll
  static void close() {
    table.close();
  }

  @ParameterizedTest
  @EnumSource
  void write_stampAndSoftLimit_comeAndGo(Port port) {
    table.createBuckets(port, key);
    ConfigStamp stamp =
        new ConfigStamp(
            ConfigLevel.ENTITY_RESOURCE, RecordVersions.of(ConfigLevel.ENTITY_RESOURCE, 7), true);
    Limit soft = Limit.perMinute("rpm", 10).asSoft();
    BucketState off =
        applied(port, locked(new WritePlan.Parameters(List.of(soft), List.of(), List.of(), stamp)));
    assertThat(off.stamp()).isEqualTo(stamp);
    assertThat(off.limits().get(0).limit()).isEqualTo(soft);
    assertThat(table.read(port, key)).isEqualTo(off);

    assertThat(table.execute(port, new StoreCall.Write(consume(TAKE_ONE))))
        .isInstanceOfSatisfying(
            StoreReply.Refused.class, refused -> assertThat(refused.state()).isEqualTo(off));

    Limit hard = Limit.perMinute("rpm", 10);
    BucketState on =
        applied(
            port,
            locked(
                new WritePlan.Parameters(List.of(hard), List.of(), List.of(), ConfigStamp.CALL)));
    assertThat(on).isEqualTo(new BucketState(key, on.refilledAtMs(), on.limits(), 0, "op-1"));
    assertThat(on.limits().get(0).limit()).isEqualTo(hard);
    assertThat(applied(port, consume(TAKE_ONE)).limits().get(0).tokensMilli()).isEqualTo(9_000);
  }

  @ParameterizedTest
  @EnumSource
  void write_removalWithoutFloor_takesALimitInDebt(Port port) {
    table.createBuckets(port, key);
    WritePlan.Adjust charge =
        new WritePlan.Adjust(
            key, List.of(LimitChange.unconditional("rpm", -99_000, 99_000)), 0, "op-1");
    BucketState unused = applied(port, charge);
    WritePlan.Parameters replace =
        new WritePlan.Parameters(
            List.of(),
            List.of(LimitState.full(Limit.perMinute("tpm", 5).asSoft())),
            List.of(new WritePlan.Removal("rpm", LimitChange.NO_FLOOR)));
    BucketState after = applied(port, locked(replace));
    assertThat(after.limits()).containsExactly(LimitState.full(Limit.perMinute("tpm", 5).asSoft()));
    WritePlan again =
        new WritePlan.Locked(
            key, after.refilledAtMs(), after.refilledAtMs(), List.of(), replace, 0, "op-2");
    assertThat(table.execute(port, new StoreCall.Write(again)))
        .as("it has no such limit any more")
        .isInstanceOf(StoreReply.Refused.class);
  }

  @ParameterizedTest
  @EnumSource
  void readAll_hundredBuckets_findsThoseThatAreThere(Port port) {
    List<BucketKey> keys =
        IntStream.range(0, 100).mapToObj(i -> BucketKey.first(ns, "e" + i, "gpt-4")).toList();
    keys.stream()
        .filter(k -> !k.entityId().endsWith("7"))
        .forEach(k -> table.createBuckets(port, k));
    assertThat(table.execute(port, new StoreCall.ReadAll(keys)))
        .isInstanceOfSatisfying(
            StoreReply.FoundAll.class,
            found -> {
              assertThat(found.states()).hasSize(90);
              found.states().forEach((k, state) -> assertThat(state).isEqualTo(bucket(k)));
            });
  }

  @ParameterizedTest
  @EnumSource
  void erase_twice_isTheSame(Port port) {
    table.createBuckets(port, key, BucketKey.first(ns, "y", "gpt-4"));
    table.create(port, entity(ns, "x", null), audit(ns, "x", "1"));
    StoreCall erase =
        new StoreCall.Erase(List.of(key), List.of(new ItemAddress(ns + "/ENTITY#x", "#META")));
    for (int times = 0; times < 2; times++) {
      assertThat(table.execute(port, erase)).isInstanceOf(StoreReply.Erased.class);
      assertThat(table.read(port, key)).isNull();
      assertThat(table.find(port, new RecordKey.Entity(ns, "x"))).isNull();
    }
    assertThat(table.list(port, new Listing.BucketsOfResource(ns, "gpt-4"), 10)).hasSize(1);
    assertThat(table.list(port, new Listing.Roots(ns), 10)).isEmpty();
    assertThat(table.find(port, new RecordKey.Audit(ns, "x", "1"))).isNotNull();
  }

  private BucketState applied(Port port, WritePlan plan) {
    StoreReply reply = table.execute(port, new StoreCall.Write(plan));
    assertThat(reply).isInstanceOf(StoreReply.Applied.class);
    return ((StoreReply.Applied) reply).state();
  }

  private WritePlan.Locked locked(WritePlan.Parameters parameters) {
    return new WritePlan.Locked(
        key,
        DirectoryTable.NOW_MS,
        DirectoryTable.NOW_MS,
        List.of(),
        parameters,
        BucketState.NEVER,
        "op-1");
  }

  private WritePlan.Consume consume(LimitChange change) {
    return new WritePlan.Consume(key, 0, List.of(change), BucketState.NEVER, "op-2");
  }
}
