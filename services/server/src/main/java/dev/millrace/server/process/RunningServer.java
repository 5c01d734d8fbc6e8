package dev.millrace.server.process;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.server.Limiters;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.adminapi.AdminApi;
import dev.millrace.server.config.ServerSettings;
import dev.millrace.server.dashboard.Dashboard;
import dev.millrace.server.envoy.EnvoyFeature;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.observability.JsonLogFormatter;
import dev.millrace.server.observability.ObservabilityFeature;
import dev.millrace.server.observability.Readiness;
import dev.millrace.server.observability.Telemetry;
import dev.millrace.server.observability.TracedStore;
import dev.millrace.server.openapi.OpenApi;
import dev.millrace.server.security.Guard;
import dev.millrace.server.security.KeyGuard;
import dev.millrace.server.security.KeyRing;
import dev.millrace.server.security.LocalGuard;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running server with everything that it is assembled from. */
public final class RunningServer implements AutoCloseable {
  private static final Duration KEY_FILE_PAUSE = Duration.ofSeconds(1);
  private static final String ACTOR = "server";

  private final MillraceServer server;
  private final Admin admin;
  private final Guard guard;
  private final @Nullable RegionExchangeCache regions;

  /**
   * Starts a server on {@code table}.
   *
   * @param local whether callers on this machine need no key when there is no file of keys
   */
  public RunningServer(ServerSettings settings, TableClients table, boolean local) {
    if (settings.log() == ServerSettings.LogForm.JSON) {
      JsonLogFormatter.install();
    }
    InstantSource clock = InstantSource.system();
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    this.guard = guard(settings, local, clock, meters);
    OpenTelemetry telemetry = Telemetry.of(System.getenv());
    TracedStore buckets = TracedStore.over(table.buckets(), telemetry);
    this.admin = Admin.of(buckets, AdminOptions.of(ACTOR));
    this.regions =
        settings.exchange() == null
            ? null
            : new RegionExchangeCache(admin, buckets, settings.exchange(), Ticker.systemTicker());
    ServerLife life = new ServerLife();
    Readiness readiness = Readiness.of(admin, life);
    ObservabilityFeature observability = new ObservabilityFeature(meters, clock, readiness);
    EnvoyFeature envoy = new EnvoyFeature(settings.envoyMapping(), readiness);
    Limiters limiters =
        new Limiters(
            namespace -> {
              LimiterOptions.Builder options = LimiterOptions.builder().namespace(namespace);
              observability.listeners(namespace).forEach(options::listener);
              return RateLimiter.create(envoy.over(namespace, buckets), options.build());
            });
    this.server =
        MillraceServer.start(
            settings.network(),
            new ServerParts(limiters, admin, table.usage(), guard, meters, telemetry, clock),
            life,
            List.of(
                observability,
                new DataPlane(settings.leases(), life),
                envoy,
                new AdminApi(
                    observability::live,
                    namespace -> regions == null ? null : regions.state(namespace)),
                new OpenApi(),
                new Dashboard()));
  }

  /** Callers need a key, except those of a server that only this machine reaches. */
  private static Guard guard(
      ServerSettings settings, boolean local, InstantSource clock, MeterRegistry meters) {
    Path keys = settings.keys();
    if (keys != null) {
      return new KeyGuard(
          KeyRing.watch(keys, KEY_FILE_PAUSE), settings.maxRequestsPerKey(), clock, meters);
    }
    if (!local || !settings.network().address().getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "keys is not set, and nobody may call without: make one with 'millrace key new' and name"
              + " its file with --keys");
    }
    return new LocalGuard();
  }

  public MillraceServer server() {
    return server;
  }

  @Override
  public void close() {
    server.close();
    if (regions != null) {
      regions.close();
    }
    admin.close();
    if (guard instanceof KeyGuard keys) {
      keys.close();
    }
  }
}
