package dev.millrace.testkit.internal.generator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.internal.contract.CallDifferentialContract;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The generators of records and calls make valid values, and enough of each sort. */
class RecordGenTest {
  private final RandomGenerator random = new SplittableRandom(1);

  @Test
  void record_many_areOfEveryKindUnderTheirKey() {
    Set<Class<?>> kinds = new HashSet<>();
    List<StoredRecord> records = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      RecordKey key = RecordGen.key(random, "test");
      StoredRecord record = RecordGen.record(random, key, 7);
      assertThat(record.key()).isEqualTo(key);
      assertThat(record.version()).isEqualTo(key instanceof RecordKey.Audit ? 1 : 7);
      kinds.add(key.getClass());
      records.add(record);
    }
    assertThat(kinds).hasSize(6);
    assertThat(records)
        .anyMatch(record -> record instanceof EntityRecord entity && entity.parentId() == null)
        .anyMatch(record -> record instanceof EntityRecord entity && entity.parentId() != null)
        .anyMatch(record -> record instanceof ConfigRecord config && config.limits() == null)
        .anyMatch(record -> record instanceof ConfigRecord config && config.disabled())
        .anyMatch(record -> record instanceof JobRecord job && job.cursor() != null);
  }

  @Test
  void configs_many_sayOnlyWhatTheirLevelCan() {
    for (int i = 0; i < 1_000; i++) {
      RecordKey.Config key = RecordGen.configKey(random, "test");
      ConfigRecord config = (ConfigRecord) RecordGen.record(random, key, 1);
      assertThat(config.disabled() && key.level() != ConfigLevel.RESOURCE).isFalse();
      assertThat(config.cascade() != null && key.resource().isEmpty()).isFalse();
      assertThat(config.onUnavailable() != null && key.level() != ConfigLevel.SYSTEM).isFalse();
    }
  }

  @Test
  void terms_many_areOfEveryLevelWithSoftLimitsAndSwitchedOff() {
    List<EffectiveLimits> terms = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      terms.add(Gen.terms(random));
    }
    for (ConfigLevel level : ConfigLevel.values()) {
      assertThat(terms).anyMatch(each -> each.stamp().level() == level);
    }
    assertThat(terms)
        .anyMatch(each -> each.stamp().disabled())
        .anyMatch(each -> each.limits().get(0).soft())
        .anyMatch(each -> !each.limits().get(0).soft());
  }

  /** A comparison of stores is worth something only where each kind is made and refused. */
  @Test
  void calls_sequences_makeAndRefuseEachKindOften() {
    Map<String, Integer> counts = new TreeMap<>();
    int listed = 0;
    for (int sequence = 0; sequence < 300; sequence++) {
      InMemoryStore store = new InMemoryStore();
      CallGen calls = new CallGen(random, "test", store);
      for (int i = 0; i < CallDifferentialContract.CALLS_OF_SEQUENCE; i++) {
        StoreCall call = calls.next("op-" + i);
        StoreReply reply = store.execute(call, 1_000);
        String answer = reply.getClass().getSimpleName();
        counts.merge(call.getClass().getSimpleName() + " " + answer, 1, Integer::sum);
        if (call instanceof StoreCall.Transaction transaction) {
          for (RecordChange change : transaction.changes()) {
            counts.merge(change.getClass().getSimpleName() + " " + answer, 1, Integer::sum);
          }
        }
      }
      for (Listing listing : calls.listings()) {
        StoreReply page = store.execute(new StoreCall.ListPage(listing, 100, null), 1_000);
        listed += ((StoreReply.Page) page).entries().size();
      }
    }
    assertThat(counts.keySet())
        .containsExactly(
            "AddChildren Cancelled",
            "AddChildren Committed",
            "Check Cancelled",
            "Check Committed",
            "Delete Cancelled",
            "Delete Committed",
            "Erase Erased",
            "Lookup Records",
            "Put Cancelled",
            "Put Committed",
            "ReadAll FoundAll",
            "Transaction Cancelled",
            "Transaction Committed",
            "Write Applied",
            "Write Refused");
    assertThat(counts).allSatisfy((kind, count) -> assertThat(count).as(kind).isGreaterThan(20));
    assertThat(listed).isGreaterThan(1_000);
  }
}
