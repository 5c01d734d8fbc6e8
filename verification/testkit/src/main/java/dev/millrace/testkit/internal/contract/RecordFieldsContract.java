package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractRecords.LIMITS;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNew;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNext;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.StoreContract;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.RecordGen;
import dev.millrace.testkit.internal.memory.RecordModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about the possible values of record fields. */
public interface RecordFieldsContract extends StoreUnderTest {
  int randomSequences();

  @ParameterizedTest
  @EnumSource
  default void put_entityOfEveryField_isKeptAndCleared(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    EntityRecord full =
        new EntityRecord(
            records.entity("key-42@x:y"),
            1,
            "Ämter & Söhne #1\n🚦",
            "team",
            List.of("team", "org", "a", "b", "c", "d", "e", "root"),
            /* cascade= */ true,
            /* disabled= */ true,
            Map.of("plan", "gold", "note", "", "b_rpm_tk", "#", "ключ", "\t\"'\\"),
            Long.MAX_VALUE,
            0);
    records.assertLeaves(putNew(full), full);
    EntityRecord bare = records.entity("key-42@x:y", 2, null, 0);
    records.assertLeaves(putNext(bare), bare);
  }

  @ParameterizedTest
  @EnumSource
  default void put_configsOfEachLevel_areKeptAndCleared(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    for (ConfigRecord full :
        List.of(
            new ConfigRecord(
                RecordKey.Config.ofEntityResource(namespace, "a", "gpt-4.1_x/mini"),
                1,
                LIMITS,
                true,
                false,
                null,
                null),
            new ConfigRecord(
                RecordKey.Config.ofEntity(namespace, "a"), 1, LIMITS, null, false, null, null),
            new ConfigRecord(
                RecordKey.Config.ofResource(namespace, "r"), 1, LIMITS, false, true, null, null),
            new ConfigRecord(
                RecordKey.Config.ofSystem(namespace),
                1,
                LIMITS,
                null,
                false,
                OnUnavailable.ALLOW,
                400))) {
      records.assertLeaves(putNew(full), full);
      ConfigRecord bare = new ConfigRecord(full.key(), 2, null, null, false, null, null);
      records.assertLeaves(putNext(bare), bare);
      ConfigRecord again = full.withLimits(LIMITS).withLimits(LIMITS);
      records.assertLeaves(putNext(again), again);
    }
  }

  @ParameterizedTest
  @EnumSource
  default void put_tombstone_isKeptAndStaysBelowLaterLimits(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    RecordKey.Config key = RecordKey.Config.ofEntity(records.namespace(), "a");
    ConfigRecord stone = ConfigRecord.empty(key).asTombstone(/* removedVersion= */ 41);
    records.assertLeaves(putNew(stone), stone);
    ConfigRecord again = stone.withLimits(LIMITS);
    records.assertLeaves(putNext(again), again);
    ConfigRecord removed = again.asTombstone(7);
    records.assertLeaves(putNext(removed), removed);
  }

  @ParameterizedTest
  @EnumSource
  default void put_configSharedByRegions_isKeptAndCleared(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    ConfigRecord none =
        ConfigRecord.empty(RecordKey.Config.ofEntityResource(records.namespace(), "a", "gpt-4"));
    for (RegionsPart part :
        List.of(
            new RegionsPart(null, null, new TreeMap<>()),
            new RegionsPart(LIMITS, null, new TreeMap<>(Map.of("rpm", "eu>us 1000/5"))),
            new RegionsPart(null, LIMITS, new TreeMap<>(Map.of("rpm", "", "tpm", "#/\"'"))))) {
      ConfigRecord full = none.withRegions(part);
      records.assertLeaves(putNew(full), full);
      ConfigRecord bare = new ConfigRecord(full.key(), 2, null, null, false, null, null);
      records.assertLeaves(putNext(bare), bare);
      none =
          ConfigRecord.empty(
              RecordKey.Config.ofEntityResource(
                  records.namespace(), "a" + none.key().entityId(), "gpt-4"));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void put_namespaces_areKeptInEveryState(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String name = records.namespace();
    String id = "i" + UUID.randomUUID();
    long version = 1;
    for (NamespaceRecord.State state : NamespaceRecord.State.values()) {
      NamespaceRecord byName =
          new NamespaceRecord(
              new RecordKey.NamespaceByName(name), version, name, id, state, version);
      NamespaceRecord byId =
          new NamespaceRecord(new RecordKey.NamespaceById(id), version, name, id, state, version);
      records.assertLeaves(new RecordChange.Put(byName, version - 1), byName);
      records.assertLeaves(new RecordChange.Put(byId, version - 1), byId);
      version++;
    }
  }

  /** A name may be somebody else's id. */
  @ParameterizedTest
  @EnumSource
  default void put_namespaceNamedLikeAnId_isAnotherRecord(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String same = records.namespace();
    NamespaceRecord byName =
        new NamespaceRecord(
            new RecordKey.NamespaceByName(same), 1, same, "x", NamespaceRecord.State.ACTIVE, 1);
    NamespaceRecord byId =
        new NamespaceRecord(
            new RecordKey.NamespaceById(same), 1, "y", same, NamespaceRecord.State.DELETED, 2);
    records.given(byName, byId);
    records.assertLeaves(new RecordChange.Check(byName.key(), 1), byName);
    records.assertLeaves(new RecordChange.Check(byId.key(), 1), byId);
  }

  @ParameterizedTest
  @EnumSource
  default void put_namespaceUnderTheKeyOfAnother_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String name = records.namespace();
    RecordKey byName = new RecordKey.NamespaceByName(name + "-2");
    RecordKey byId = new RecordKey.NamespaceById(name + "-2");
    for (RecordKey key : List.of(byName, byId)) {
      records.assertMistake(
          ContractRecords.transaction(
              putNew(new NamespaceRecord(key, 1, name, name, NamespaceRecord.State.ACTIVE, 1))));
    }
    assertThat(records.lookup(List.of(byName, byId))).isEmpty();
  }

  /** Subjects and ids are free text, but part of a key. */
  @ParameterizedTest
  @EnumSource
  default void put_textThatNoKeyCanHold_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    List<RecordKey> keys = new ArrayList<>();
    for (String bad : List.of("", "a\nb", "a\u0000", "\ud83d", "x".repeat(2_000))) {
      keys.add(new RecordKey.Audit(namespace, bad, "01HZ"));
      keys.add(new RecordKey.Audit(namespace, "a", bad));
      keys.add(new RecordKey.Job(namespace, bad));
    }
    for (String bad : List.of("", "a/b", namespace + "#", "_x", "$")) {
      keys.add(new RecordKey.Audit(bad, "a", "01HZ"));
      keys.add(new RecordKey.Job(bad, "01HZ"));
    }
    for (RecordKey key : keys) {
      records.assertMistake(new StoreCall.Lookup(List.of(key), /* consistent= */ true));
      records.assertMistake(ContractRecords.transaction(new RecordChange.Check(key, 1)));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void put_auditEvent_isKept(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    AuditEvent event =
        new AuditEvent(
            new RecordKey.Audit(records.namespace(), "$RESOURCE:a#b/c", "01HZ-x"),
            1_700_000_000_123L,
            "",
            "limits.set",
            Map.of(),
            Map.of("limits", "rpm 100/min", "cascade", ""),
            4_000_000_000L);
    records.assertLeaves(putNew(event), event);
    records.assertRefused(putNew(event));
  }

  @ParameterizedTest
  @EnumSource
  default void put_job_isKeptAndMovedOn(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    JobRecord begun =
        new JobRecord(
            new RecordKey.Job(records.namespace(), "01HZ"),
            1,
            "fan-out",
            Map.of("resource", "gpt-4"),
            null,
            0,
            0,
            /* done= */ false,
            1_700_000_000_123L,
            1_700_000_000_123L,
            0);
    JobRecord under =
        new JobRecord(
            begun.key(), 2, "fan-out", Map.of(), "c #/=", 1L << 40, 7, false, 1, 2, 4_000_000_000L);
    JobRecord ended = new JobRecord(begun.key(), 3, "fan-out", Map.of(), null, 9, 9, true, 1, 3, 0);
    records.assertLeaves(putNew(begun), begun);
    records.assertLeaves(putNext(under), under);
    records.assertLeaves(putNext(ended), ended);
  }

  /** There is one in the table, which is not this test's: it is made where it is missing. */
  @ParameterizedTest
  @EnumSource
  default void put_schema_isMadeOnce(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    StoredRecord found = records.lookup(new RecordKey.Schema());
    SchemaRecord schema = new SchemaRecord(SchemaRecord.SUPPORTED);
    if (found == null) {
      records.assertLeaves(putNew(schema), schema);
    }
    records.assertRefused(putNew(schema));
  }

  @ParameterizedTest
  @EnumSource
  default void put_randomRecords_areKept(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    Gen.forEachSeed(
        randomSequences(),
        (random, seed) -> {
          RecordKey key = RecordGen.key(random, records.namespace() + "-" + seed);
          StoredRecord record = RecordGen.record(random, key, 1 + random.nextInt(9));
          StoredRecord expected = RecordModel.after(null, putNew(record));
          records.assertLeaves(putNew(record), expected);
        });
  }
}
