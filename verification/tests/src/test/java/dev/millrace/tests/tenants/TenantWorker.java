package dev.millrace.tests.tenants;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.CapacityTotals;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Page;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.StoredLimits;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * An operator's process of its own, with little memory: it lists, looks, or changes a limit, and
 * prints how far it is.
 */
public final class TenantWorker {
  /** What a million tenants must fit into, because only a page of them is held. */
  private static final String HEAP = "-Xmx64m";

  private TenantWorker() {}

  public static void main(String[] args) {
    String resource = args[3];
    AdminOptions options =
        AdminOptions.builder("operator")
            .timeout(Duration.ofMinutes(1))
            .maxWritesPerSecond(Integer.parseInt(args[5]))
            .build();
    try (Admin admin =
        Admin.of(DynamoStore.of(Dynamo.client(URI.create(args[0])), args[1]), options)) {
      NamespaceAdmin tenants = admin.in("default");
      switch (args[2]) {
        case "list" -> System.out.println("LISTED " + list(tenants, resource));
        case "capacity" -> System.out.println("SEEN " + capacity(tenants, resource));
        case "set" -> {
          tenants
              .limits()
              .set(
                  LimitTarget.resource(resource),
                  Tenants.set(args[4]),
                  SetOptions.DEFAULT.reportingTo(
                      at -> System.out.println("AT " + at.examined() + " " + at.changed())));
          System.out.println("DONE");
        }
        default -> throw new IllegalArgumentException(args[2]);
      }
    }
  }

  private static long list(NamespaceAdmin tenants, String resource) {
    long listed = 0;
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<StoredLimits> page = tenants.limits().ofEntities(resource, Page.MAX_SIZE, cursor);
      listed += page.items().size();
      cursor = page.cursor();
    } while (cursor != null);
    return listed;
  }

  private static long capacity(NamespaceAdmin tenants, String resource) {
    CapacityTotals totals = tenants.buckets().capacity(resource, (page, sums) -> {});
    return totals.buckets();
  }

  /** Starts one; {@code args} after the endpoint and the table. */
  static Process start(String table, String... args) throws IOException {
    List<String> command =
        new java.util.ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TenantWorker.class.getName(),
                Dynamo.endpoint().toString(),
                table));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
