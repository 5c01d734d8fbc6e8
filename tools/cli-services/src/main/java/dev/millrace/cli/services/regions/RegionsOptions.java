package dev.millrace.cli.services.regions;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.cli.table.NamespacePlace;
import dev.millrace.cli.table.Settings;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.sync.RegionOperations;
import dev.millrace.worker.Endpoints;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which table of which region, and who changes it. */
final class RegionsOptions extends NamespacePlace {
  @Option(names = "--s3-endpoint", paramLabel = "URL", description = "S3 (default: AWS).")
  private @Nullable URI s3Endpoint;

  Endpoints endpoints() {
    Settings settings = settings().withoutEngine();
    return Endpoints.of(settings.endpoint(), s3Endpoint, null, settings.region());
  }

  DynamoStore store(Endpoints endpoints) {
    return DynamoStore.of(endpoints.dynamoClient(), settings().table());
  }

  /** The id of the namespace. */
  String namespaceId(DynamoStore store) {
    try (Admin admin = admin(store)) {
      return admin.in(settings().namespace()).regions().namespaceId();
    }
  }

  /** What {@code work} says about the regions of the namespace. */
  <T> T with(Function<RegionOperations, T> work) {
    try (Endpoints endpoints = endpoints();
        Admin admin = admin(store(endpoints))) {
      return work.apply(
          new RegionOperations(admin.in(settings().namespace()), AllocationPolicy.DEFAULT));
    }
  }

  private Admin admin(DynamoStore store) {
    return Admin.of(store, AdminOptions.of(settings().actor()));
  }
}
