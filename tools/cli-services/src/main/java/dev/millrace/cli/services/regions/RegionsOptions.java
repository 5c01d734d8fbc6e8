package dev.millrace.cli.services.regions;

import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.table.NamespacePlace;
import dev.millrace.cli.table.Settings;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the table of a region, S3, and the actor of changes; a mixin. */
final class RegionsOptions extends NamespacePlace {
  @Option(names = "--s3-endpoint", paramLabel = "URL", description = "S3 (default: AWS).")
  private @Nullable URI s3Endpoint;

  ServiceClients clients() {
    Settings settings = settings().withoutEngine();
    return ServiceClients.of(settings.endpoint(), s3Endpoint, null, settings.region());
  }

  /** The exchange of the region at {@code location}. */
  RegionExchange exchange(
      ServiceClients clients, S3Location location, AllocationPolicy policy, SyncListener listener) {
    BlockingStore store = store(clients);
    String namespaceId;
    try (Admin admin = admin(store)) {
      namespaceId = admin.in(settings().namespace()).regions().namespaceId();
    }
    return S3Regions.open(
        store, namespaceId, clients.s3Client(), location, policy, listener, ActiveView.NONE);
  }

  /** The result of {@code work} with the regions of the namespace. */
  <T> T with(Function<RegionOperations, T> work) {
    try (ServiceClients clients = clients();
        Admin admin = admin(store(clients))) {
      return work.apply(
          new RegionOperations(admin.in(settings().namespace()), AllocationPolicy.DEFAULT));
    }
  }

  private BlockingStore store(ServiceClients clients) {
    return DynamoStore.of(clients.dynamoClient(), settings().table());
  }

  private Admin admin(BlockingStore store) {
    return Admin.of(store, AdminOptions.of(settings().actor()));
  }
}
