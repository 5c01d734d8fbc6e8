package dev.millrace.server.process;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.admin.Admin;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.S3Regions;
import dev.millrace.server.config.ServerSettings;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The state of the exchange between regions by namespace, from the snapshots that they publish in
 * S3. Each state is cached for {@link #MAX_AGE}: it reads the snapshots of all other regions and
 * all shared limits, and an open page requests it again and again.
 */
final class RegionExchangeCache implements AutoCloseable {
  /** Age up to which a state is not read again. */
  static final Duration MAX_AGE = Duration.ofSeconds(10);

  /** Most namespaces whose snapshots are kept at a time. */
  private static final int MAX_NAMESPACES = 16;

  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  private final Admin admin;
  private final BlockingStore store;
  private final ServerSettings.Exchange place;
  private final Cache<String, RegionExchange> exchanges =
      Caffeine.newBuilder().maximumSize(MAX_NAMESPACES).build();
  private final Cache<String, Map<String, @Nullable Object>> states;
  private @Nullable S3Client client;

  RegionExchangeCache(
      Admin admin, BlockingStore store, ServerSettings.Exchange place, Ticker ticker) {
    this.admin = admin;
    this.store = store;
    this.place = place;
    this.states =
        Caffeine.newBuilder()
            .maximumSize(MAX_NAMESPACES)
            .expireAfterWrite(MAX_AGE)
            .ticker(ticker)
            .build();
  }

  /**
   * The state, with the fields of {@link dev.millrace.regions.CycleReport}; null when it cannot be
   * read. Synchronized because an exchange is for one thread at a time.
   */
  synchronized @Nullable Map<String, @Nullable Object> state(String namespace) {
    try {
      return states.get(namespace, name -> exchanges.get(name, this::open).look().fields());
    } catch (RuntimeException e) { // of S3 or the table: the page shows the stored facts alone
      LOG.log(
          System.Logger.Level.WARNING,
          "the regions of namespace {0} cannot be read: {1}",
          namespace,
          e.getMessage());
      return null;
    }
  }

  private RegionExchange open(String namespace) {
    S3Client opened =
        client == null ? new AwsClients(place.endpoint(), place.region()).s3() : client;
    client = opened;
    return S3Regions.open(
        store,
        admin.in(namespace).regions().namespaceId(),
        opened,
        place.place(),
        AllocationPolicy.DEFAULT,
        SyncListener.NONE,
        ActiveView.NONE);
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close();
    }
  }
}
