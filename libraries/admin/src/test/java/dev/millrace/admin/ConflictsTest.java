package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.model.ModelStore;
import dev.millrace.testkit.internal.model.PartitionLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Transactions that are in each other's way, as in DynamoDB and not in DynamoDB Local. */
class ConflictsTest {
  private static final int IMPORTERS = 4;
  private static final int EACH = 300;

  @Test
  void createAll_manyImportersOfOneParent_createEachOnce() throws Exception {
    ModelStore store = ModelStore.withConflicts(Duration.ofMillis(2), PartitionLimits.NONE);
    NamespaceAdmin ns = Admin.of(store, AdminOptions.of("tester")).in("default");
    ns.entities().create(NewEntity.of("p"));
    ExecutorService pool = Executors.newFixedThreadPool(IMPORTERS);
    try {
      List<Callable<BulkResult>> importers = new ArrayList<>();
      for (int i = 0; i < IMPORTERS; i++) {
        int importer = i;
        importers.add(() -> createSome(store, importer));
      }
      for (Future<BulkResult> result : pool.invokeAll(importers)) {
        assertThat(result.get()).isEqualTo(new BulkResult(EACH, List.of()));
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(ns.entities().get("p").orElseThrow().children()).isEqualTo(IMPORTERS * EACH);
  }

  private static BulkResult createSome(ModelStore store, int importer) {
    List<NewEntity> some = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      some.add(NewEntity.of("e-" + importer + "-" + i).under("p"));
    }
    return Admin.of(store, AdminOptions.of("importer")).in("default").entities().createAll(some);
  }
}
