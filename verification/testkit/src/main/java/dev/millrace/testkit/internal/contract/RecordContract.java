package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractRecords.LIMITS;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNew;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNext;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about single changes of records, and about finding them. */
public interface RecordContract extends StoreUnderTest {
  @ParameterizedTest
  @EnumSource
  default void put_absentAsExpected_isMadeOnce(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    EntityRecord entity = records.entity("a", 1, null, 0);
    records.assertLeaves(putNew(entity), entity);
    records.assertRefused(putNew(entity));
    records.assertRefused(putNew(records.entity("a", 2, "b", 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void put_versionAsExpected_replacesAllButTheChildren(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.given(records.entity("a", 1, "b", 0));
    records.given(new RecordChange.AddChildren(records.entity("a"), 2));
    records.assertLeaves(putNext(records.entity("a", 2, null, 9)), records.entity("a", 2, null, 2));
    records.assertLeaves(putNext(records.entity("a", 3, "c", 0)), records.entity("a", 3, "c", 2));
  }

  @ParameterizedTest
  @EnumSource
  default void put_newEntityThatClaimsChildren_hasNone(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertLeaves(putNew(records.entity("a", 1, null, 5)), records.entity("a", 1, null, 0));
  }

  @ParameterizedTest
  @EnumSource
  default void put_otherVersionThanExpected_isRefused(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertRefused(putNext(records.entity("a", 2, null, 0)));
    records.given(records.entity("a", 5, null, 0));
    records.assertRefused(putNext(records.entity("a", 5, "b", 0)));
    records.assertRefused(putNext(records.entity("a", 7, "b", 0)));
  }

  @ParameterizedTest
  @EnumSource
  default void put_deletedAndMadeAgain_beginsAnew(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    ConfigRecord before = records.config("a", "gpt-4", 4, LIMITS);
    ConfigRecord after = records.config("a", "gpt-4", 1, null);
    records.given(before);
    records.assertLeaves(new RecordChange.Delete(before.key(), 4), null);
    records.assertLeaves(putNew(after), after);
  }

  @ParameterizedTest
  @EnumSource
  default void delete_versionAsExpected_removes(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.given(records.entity("a", 3, null, 0));
    records.assertRefused(new RecordChange.Delete(records.entity("a"), 2));
    records.assertRefused(new RecordChange.Delete(records.entity("a"), 4));
    records.assertRefused(new RecordChange.Delete(records.entity("a"), 0));
    records.assertLeaves(new RecordChange.Delete(records.entity("a"), 3), null);
    records.assertRefused(new RecordChange.Delete(records.entity("a"), 3));
    records.assertRefused(new RecordChange.Delete(records.entity("a"), 0));
  }

  @ParameterizedTest
  @EnumSource
  default void delete_entityWithChildren_isRefusedUntilTheyAreGone(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.given(records.entity("a", 3, null, 0));
    records.given(new RecordChange.AddChildren(records.entity("a"), 1));
    records.assertRefused(new RecordChange.Delete(records.entity("a"), 3));
    records.given(new RecordChange.AddChildren(records.entity("a"), -1));
    records.assertLeaves(new RecordChange.Delete(records.entity("a"), 3), null);
  }

  @ParameterizedTest
  @EnumSource
  default void addChildren_present_countsAndKeepsTheVersion(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    RecordKey.Entity key = records.entity("a");
    records.given(records.entity("a", 3, "b", 0));
    records.assertLeaves(new RecordChange.AddChildren(key, 2), records.entity("a", 3, "b", 2));
    records.assertLeaves(new RecordChange.AddChildren(key, -1), records.entity("a", 3, "b", 1));
    records.assertLeaves(new RecordChange.AddChildren(key, 0), records.entity("a", 3, "b", 1));
    records.assertLeaves(new RecordChange.AddChildren(key, -1), records.entity("a", 3, "b", 0));
  }

  @ParameterizedTest
  @EnumSource
  default void addChildren_belowZeroOrAbsent_isRefused(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    RecordKey.Entity key = records.entity("a");
    records.assertRefused(new RecordChange.AddChildren(key, 1));
    records.assertRefused(new RecordChange.AddChildren(key, 0));
    records.given(records.entity("a", 3, null, 0));
    records.assertRefused(new RecordChange.AddChildren(key, -1));
    records.given(new RecordChange.AddChildren(key, 2));
    records.assertRefused(new RecordChange.AddChildren(key, -3));
  }

  @ParameterizedTest
  @EnumSource
  default void addChildren_underAVersion_demandsIt(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    RecordKey.Entity key = records.entity("a");
    records.assertRefused(new RecordChange.AddChildren(key, 1, 1));
    records.given(records.entity("a", 3, null, 0));
    records.assertRefused(new RecordChange.AddChildren(key, 1, 2));
    records.assertRefused(new RecordChange.AddChildren(key, 1, 4));
    records.assertLeaves(new RecordChange.AddChildren(key, 1, 3), records.entity("a", 3, null, 1));
    records.assertRefused(new RecordChange.AddChildren(key, -2, 3));
  }

  @ParameterizedTest
  @EnumSource
  default void check_versionAsExpected_leavesTheRecord(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.assertRefused(new RecordChange.Check(records.entity("a"), 1));
    records.assertRefused(new RecordChange.Check(records.entity("a"), 0));
    EntityRecord entity = records.entity("a", 3, null, 0);
    records.given(entity);
    records.assertLeaves(new RecordChange.Check(records.entity("a"), 3), entity);
    records.assertRefused(new RecordChange.Check(records.entity("a"), 2));
    records.assertRefused(new RecordChange.Check(records.entity("a"), 4));
    records.assertRefused(new RecordChange.Check(records.entity("a"), 0));
  }

  @ParameterizedTest
  @EnumSource
  default void lookup_someMissing_findsTheOthers(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    EntityRecord a = records.entity("a", 1, null, 0);
    EntityRecord b = records.entity("b", 1, null, 0);
    records.given(a, b);
    List<RecordKey> keys = List.of(a.key(), records.entity("c"), b.key());
    assertThat(records.lookup(keys)).isEqualTo(Map.of(a.key(), a, b.key(), b));
    assertThat(records.lookup(List.of(records.entity("d")))).isEmpty();
    records.assertSame(
        "lookup that need not be consistent",
        () -> records.execute(new StoreCall.Lookup(keys, /* consistent= */ false)).getClass(),
        StoreReply.Records.class);
    records.assertSame(
        "lookup that need not be consistent",
        () ->
            ((StoreReply.Records)
                    records.execute(new StoreCall.Lookup(keys, /* consistent= */ false)))
                .records(),
        Map.of(a.key(), a, b.key(), b));
  }

  @ParameterizedTest
  @EnumSource
  default void lookup_asManyAsAllowed_findsAll(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    Map<RecordKey, StoredRecord> expected = new HashMap<>();
    List<RecordChange> changes = new ArrayList<>();
    for (int i = 0; i < StoreCall.Lookup.MAX_KEYS; i++) {
      EntityRecord entity = records.entity("e" + i, 1 + i, null, 0);
      expected.put(entity.key(), entity);
      changes.add(putNew(entity));
    }
    records.given(changes.toArray(RecordChange[]::new));
    assertThat(records.lookup(List.copyOf(expected.keySet()))).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  default void lookup_keysThatDifferInOnePart_areDifferentRecords(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    List<RecordKey.Config> keys =
        List.of(
            RecordKey.Config.ofEntityResource(namespace, "a", "r"),
            RecordKey.Config.ofEntityResource(namespace, "a", "r/x"),
            RecordKey.Config.ofEntityResource(namespace, "a.b", "r"),
            RecordKey.Config.ofEntityResource(namespace + "-2", "a", "r"),
            RecordKey.Config.ofEntity(namespace, "a"),
            RecordKey.Config.ofEntity(namespace, "r"),
            RecordKey.Config.ofResource(namespace, "a"),
            RecordKey.Config.ofResource(namespace, "r"),
            RecordKey.Config.ofResource(namespace + "-2", "r"),
            RecordKey.Config.ofSystem(namespace),
            RecordKey.Config.ofSystem(namespace + "-2"));
    Map<RecordKey, StoredRecord> expected = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      ConfigRecord config = new ConfigRecord(keys.get(i), i + 1, LIMITS, null, false, null, null);
      records.assertLeaves(putNew(config), config);
      expected.put(config.key(), config);
    }
    assertThat(records.lookup(keys)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  default void lookup_tooManyNoneOrTwice_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    List<RecordKey> keys = new ArrayList<>();
    for (int i = 0; i <= StoreCall.Lookup.MAX_KEYS; i++) {
      keys.add(records.entity("e" + i));
    }
    records.assertMistake(new StoreCall.Lookup(keys, /* consistent= */ true));
    records.assertMistake(new StoreCall.Lookup(List.of(), /* consistent= */ true));
    records.assertMistake(
        new StoreCall.Lookup(List.of(keys.get(0), keys.get(0)), /* consistent= */ true));
  }
}
