package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.internal.memory.Conflicts;
import dev.millrace.testkit.internal.memory.TableLayout;
import dev.millrace.testkit.internal.memory.TablePosition;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConflictsTest {
  private final Conflicts conflicts = new Conflicts();

  private static StoreCall check(String token, String entityId) {
    return new StoreCall.Transaction(
        List.of(), List.of(new RecordChange.Check(Samples.entity(entityId), 1)), token);
  }

  private static StoreCall eraseRecord(String entityId) {
    TablePosition place = TableLayout.of(Samples.entity(entityId));
    return new StoreCall.Erase(
        List.of(), List.of(new ItemAddress(place.partition(), place.sort())));
  }

  @Test
  void enter_twoTransactionsOfOneBucket_onlyTheFirst() {
    StoreCall first = Samples.transaction("t1", "a", "b");
    StoreCall second = Samples.transaction("t2", "c", "b");
    assertThat(conflicts.enter(first)).isTrue();
    assertThat(conflicts.enter(second)).isFalse();
    assertThat(conflicts.kept()).isEqualTo(2);
    conflicts.leave(first);
    assertThat(conflicts.enter(second)).isTrue();
    conflicts.leave(second);
    assertThat(conflicts.kept()).isZero();
  }

  @Test
  void enter_writeDuringTransaction_onlyOfAnotherBucket() {
    assertThat(conflicts.enter(Samples.transaction("t", "a"))).isTrue();
    assertThat(conflicts.enter(Samples.write("a"))).isFalse();
    assertThat(conflicts.enter(Samples.write("b"))).isTrue();
  }

  @Test
  void enter_transactionDuringWrites_waitsForTheLast() {
    assertThat(conflicts.enter(Samples.write("a"))).isTrue();
    assertThat(conflicts.enter(Samples.write("a"))).isTrue();
    conflicts.leave(Samples.write("a"));
    assertThat(conflicts.enter(Samples.transaction("t", "a"))).isFalse();
    conflicts.leave(Samples.write("a"));
    assertThat(conflicts.enter(Samples.transaction("t", "a"))).isTrue();
  }

  @Test
  void enter_mergeOfTwoShards_keepsBoth() {
    StoreCall merge = Samples.merge("t", "a");
    assertThat(conflicts.enter(merge)).isTrue();
    assertThat(conflicts.kept()).isEqualTo(2);
    assertThat(conflicts.enter(Samples.write("a"))).isFalse();
    assertThat(conflicts.enter(Samples.resize("a"))).isFalse();
    assertThat(conflicts.enter(Samples.writeShard("a", 1))).isFalse();
    assertThat(conflicts.enter(Samples.writeShard("a", 2))).isTrue();
    conflicts.leave(merge);
    assertThat(conflicts.enter(Samples.resize("a"))).isTrue();
    assertThat(conflicts.enter(merge)).isFalse();
  }

  @Test
  void enter_checkOfARecord_keepsItLikeAWrite() {
    assertThat(conflicts.enter(check("t1", "a"))).isTrue();
    assertThat(conflicts.enter(check("t2", "a"))).isFalse();
    assertThat(conflicts.enter(eraseRecord("a"))).isFalse();
    assertThat(conflicts.enter(eraseRecord("b"))).isTrue();
    assertThat(conflicts.enter(check("t3", "b"))).isFalse();
  }

  @Test
  void enter_read_neverConflicts() {
    assertThat(conflicts.enter(Samples.transaction("t", "a"))).isTrue();
    assertThat(conflicts.enter(new StoreCall.Read(Samples.bucket("a")))).isTrue();
    assertThat(conflicts.enter(new StoreCall.ReadAll(List.of(Samples.bucket("a"))))).isTrue();
    assertThat(conflicts.enter(new StoreCall.Lookup(List.of(Samples.entity("a")), true))).isTrue();
  }
}
