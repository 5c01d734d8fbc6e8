package dev.millrace.lambda;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import java.util.List;

/** A table of region {@code eu} that shares a limit with {@code us}. */
final class SharedLimit {
  private SharedLimit() {}

  static void declare(BlockingStore table) {
    try (Admin admin = Admin.of(table, AdminOptions.of("test"))) {
      RegionOperations regions =
          new RegionOperations(admin.in("default"), AllocationPolicy.DEFAULT);
      regions.found("eu", List.of("eu", "us"));
      regions.share(
          LimitTarget.resource("gpt-4"),
          LimitSet.of(Limit.perMinute("rpm", 600)),
          List.of(),
          ProgressListener.NONE);
    }
  }
}
