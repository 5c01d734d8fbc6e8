package dev.millrace.server.process;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.admin.Admin;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.sync.ActiveView;
import dev.millrace.regions.sync.RegionExchange;
import dev.millrace.regions.sync.SyncListener;
import dev.millrace.s3.S3Regions;
import dev.millrace.server.adminapi.RegionLook;
import dev.millrace.server.config.Settled;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * How regions stand, by what they have published in S3. A look reads the snapshots of all others
 * and all shared limits, so it is kept for {@link #KEPT}: whoever watches the page does not make
 * everybody pay for that.
 */
final class ExchangeLook implements RegionLook, AutoCloseable {
  /** How long a look is good. */
  static final Duration KEPT = Duration.ofSeconds(10);

  /** Most namespaces whose snapshots are remembered at a time. */
  static final int MAX_NAMESPACES = 16;

  private static final System.Logger LOG = System.getLogger("dev.millrace.server");

  private final Admin admin;
  private final BlockingStore store;
  private final Settled.Exchange place;
  private final Cache<String, RegionExchange> exchanges =
      Caffeine.newBuilder().maximumSize(MAX_NAMESPACES).build();
  private final Cache<String, Map<String, @Nullable Object>> looks;
  private @Nullable S3Client client;

  /** Looks at {@code place}, from {@code store}; nothing is opened before the first. */
  ExchangeLook(Admin admin, BlockingStore store, Settled.Exchange place, Ticker ticker) {
    this.admin = admin;
    this.store = store;
    this.place = place;
    this.looks =
        Caffeine.newBuilder()
            .maximumSize(MAX_NAMESPACES)
            .expireAfterWrite(KEPT)
            .ticker(ticker)
            .build();
  }

  /** One at a time: an exchange is for one thread, and who comes meanwhile gets the same look. */
  @Override
  public synchronized @Nullable Map<String, @Nullable Object> at(String namespace) {
    try {
      return looks.get(namespace, this::look);
    } catch (RuntimeException e) { // of S3 or the table: the page shows what is stored here
      LOG.log(
          System.Logger.Level.WARNING,
          "the regions of namespace {0} cannot be looked at: {1}",
          namespace,
          e.getMessage());
      return null;
    }
  }

  private Map<String, @Nullable Object> look(String namespace) {
    return exchanges.get(namespace, this::open).look().fields();
  }

  private RegionExchange open(String namespace) {
    return S3Regions.open(
        store,
        admin.in(namespace).regions().namespaceId(),
        client(),
        place.place(),
        AllocationPolicy.DEFAULT,
        SyncListener.NONE,
        ActiveView.NONE);
  }

  private S3Client client() {
    if (client == null) {
      client = AwsClients.s3(place.endpoint(), place.region());
    }
    return client;
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close();
    }
  }
}
