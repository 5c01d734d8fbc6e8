package dev.millrace.examples.tworegions;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.examples.common.LocalTable;
import dev.millrace.regions.ActiveView;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.CycleReport;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.RegionOperations;
import dev.millrace.regions.SyncException;
import dev.millrace.regions.SyncListener;
import dev.millrace.s3.S3Regions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One region: a table that no other region reads or writes, a limiter on it, and a part in the
 * exchange. Acquires never leave the region; only the exchange, once in a window, looks at what the
 * others have published.
 */
final class Region implements AutoCloseable {
  private static final String ENTITY = "acme";
  private static final String RESOURCE = "gpt-4";
  private static final String NAMESPACE = LimiterOptions.DEFAULT_NAMESPACE;

  private final String name;
  private final LocalTable table;
  private final RateLimiter limiter;
  private final RegionExchange exchange;
  private final AcquireRequest request;
  private final long equalPpm;
  private @Nullable CycleReport last;

  private Region(
      String name,
      LocalTable table,
      RateLimiter limiter,
      RegionExchange exchange,
      AcquireRequest request,
      long equalPpm) {
    this.name = name;
    this.table = table;
    this.limiter = limiter;
    this.exchange = exchange;
    this.request = request;
    this.equalPpm = equalPpm;
  }

  /**
   * Founds region {@code name} in a table of its own.
   *
   * @param founders all regions: each begins with an equal part of {@code quota}
   */
  static Region found(
      String name,
      List<String> founders,
      Limit quota,
      AllocationPolicy policy,
      LocalBucket bucket) {
    LocalTable table = LocalTable.create("limits-" + name);
    BlockingStore store = table.store();
    // What './millrace regions found' and './millrace regions share' say.
    try (Admin admin =
        Admin.of(store, AdminOptions.builder("example").timeout(LocalTable.TIMEOUT).build())) {
      NamespaceAdmin namespace = admin.in(NAMESPACE);
      RegionOperations regions = new RegionOperations(namespace, policy);
      regions.found(name, founders);
      regions.share(
          LimitTarget.resource(RESOURCE), LimitSet.of(quota), List.of(), ProgressListener.NONE);
    }
    // What './millrace regions sync' does, in a process of its own.
    RegionExchange exchange =
        S3Regions.open(
            store,
            NAMESPACE,
            bucket.client(),
            bucket.location(),
            policy,
            SyncListener.NONE,
            ActiveView.NONE);
    LimiterOptions options = LimiterOptions.builder().timeout(LocalTable.TIMEOUT).build();
    return new Region(
        name,
        table,
        RateLimiter.create(store, options),
        exchange,
        AcquireRequest.of(ENTITY, RESOURCE).consume(quota.name(), 1),
        CycleReport.WHOLE_PPM / founders.size());
  }

  String name() {
    return name;
  }

  /**
   * Takes part in the exchange: reads what the others have published, gives and takes, and
   * publishes how it stands then. A window that fails is a delay: the region goes on with what it
   * holds, and the next one comes.
   */
  void exchange() {
    try {
      last = exchange.cycle();
    } catch (SyncException e) {
      // told by last, which gets older
    }
  }

  /** Its part of the quota, in millionths, as it was after the last window. */
  long sharePpm() {
    return last == null
        ? equalPpm
        : last.rights().meanSharesPpm().getOrDefault(name, equalPpm); // nobody has asked yet
  }

  /** How old what it knows of region {@code other} was in the last window; below zero: nothing. */
  long ageMs(String other) {
    long none = Long.MAX_VALUE;
    long ageMs = last == null ? none : last.exchanged().agesMs().getOrDefault(other, none);
    return ageMs == none ? -1 : ageMs;
  }

  /** Whether the region admits one request now. It decides alone. */
  boolean admits() {
    try {
      if (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
        granted.lease().close();
        return true;
      }
    } catch (LimiterUnavailableException e) {
      // Nobody can tell now, and so it is not admitted.
    }
    return false;
  }

  @Override
  public void close() {
    limiter.close();
    table.close();
  }
}
