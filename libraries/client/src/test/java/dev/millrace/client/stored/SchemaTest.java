package dev.millrace.client.stored;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.OnUnavailable;
import dev.millrace.SchemaMismatchException;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.testkit.Calls;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether the table is one for this software. */
class SchemaTest {
  private final HierarchyBench bench = new HierarchyBench();

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_tableOfANewerVersion_isRefusedEveryTimeAndWritesNothing(Style style) {
    bench.directory.system(rpm(100));
    bench.memory.put(new SchemaRecord(SchemaRecord.SUPPORTED + 1));
    try (Caller caller = bench.caller(style)) {
      for (int i = 0; i < 5; i++) {
        assertThatExceptionOfType(SchemaMismatchException.class)
            .isThrownBy(() -> caller.acquire(request(1).onUnavailable(OnUnavailable.ALLOW)))
            .withMessageContaining("newer version")
            .satisfies(
                e -> {
                  assertThat(e.attributes()).containsEntry("found", SchemaRecord.SUPPORTED + 1);
                  assertThat(e.attributes()).containsEntry("supported", SchemaRecord.SUPPORTED);
                  assertThat(e.attributes().get("todo").toString()).contains("upgrade");
                });
        bench.advance(400);
      }
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> caller.available(ENTITY, RESOURCE));
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> caller.timeUntilAvailable(request(1)));
      assertThat(bench.memory.size()).isZero();
      assertThat(bench.calls.roundTrips(Calls.writes())).isZero();
      assertThat(bench.calls.roundTrips(Calls.lookups())).isLessThanOrEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_tableOfAnOlderVersion_saysToMigrate(Style style) {
    bench.memory.put(new SchemaRecord(SchemaRecord.SUPPORTED - 1));
    try (Caller caller = bench.caller(style)) {
      assertThatExceptionOfType(SchemaMismatchException.class)
          .isThrownBy(() -> caller.acquire(request(1).limits(rpm(5))))
          .satisfies(e -> assertThat(e.attributes().get("todo").toString()).contains("migrate"));
    }
  }

  /** A table that is upgraded under a running process is noticed within the cache time. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void acquire_tableUpgradedMeanwhile_isRefusedWithinTheCacheTime(Style style) {
    bench.directory.system(rpm(1_000));
    bench.memory.put(new SchemaRecord(SchemaRecord.SUPPORTED));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      bench.advance(30_000);
      caller.acquire(request("late", 1));
      bench.memory.put(new SchemaRecord(SchemaRecord.SUPPORTED + 1));
      bench.advance(30_000);

      for (String entity : List.of(ENTITY, "late", "new")) {
        assertThatExceptionOfType(SchemaMismatchException.class)
            .as(entity)
            .isThrownBy(() -> caller.acquire(request(entity, 1)));
      }
    }
  }
}
