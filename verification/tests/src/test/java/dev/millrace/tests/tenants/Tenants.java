package dev.millrace.tests.tenants;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.spi.store.BlockingStore;
import java.time.Duration;
import java.util.Arrays;

/** Entities and their limits on some store, as an operator would set them up. */
final class Tenants implements AutoCloseable {
  static final String RESOURCE = "gpt-4";

  private final Admin admin;

  Tenants(BlockingStore store) {
    this.admin =
        Admin.of(
            store,
            AdminOptions.builder("tester")
                .timeout(Duration.ofMinutes(1)) // a busy machine is not the subject
                .maxWritesPerSecond(100_000)
                .build());
  }

  NamespaceAdmin admin() {
    return admin.in("default");
  }

  /** A chain of entities, each drawing on the next; the last one is at the top. */
  void chain(String... ids) {
    for (int i = ids.length - 1; i >= 0; i--) {
      NewEntity entity = NewEntity.of(ids[i]);
      admin()
          .entities()
          .create(i == ids.length - 1 ? entity : entity.under(ids[i + 1]).cascading());
    }
  }

  void limits(String entityId, String... limits) {
    admin().limits().set(LimitTarget.entityResource(entityId, RESOURCE), set(limits));
  }

  static LimitSet set(String... limits) {
    return LimitSet.of(Arrays.stream(limits).map(LimitNotation::parse).toList());
  }

  static Limit limit(String limit) {
    return LimitNotation.parse(limit);
  }

  static BucketKey bucket(String entityId) {
    return BucketKey.first("default", entityId, RESOURCE);
  }

  @Override
  public void close() {
    admin.close();
  }
}
