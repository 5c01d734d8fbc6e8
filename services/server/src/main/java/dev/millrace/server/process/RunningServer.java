package dev.millrace.server.process;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.LimiterOptions;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.server.Limiters;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.adminapi.RegionLook;
import dev.millrace.server.config.Settled;
import dev.millrace.server.observability.JsonLines;
import dev.millrace.server.observability.Telemetry;
import dev.millrace.server.observability.TracedStore;
import dev.millrace.server.security.Guard;
import dev.millrace.server.security.KeyFile;
import dev.millrace.server.security.KeyGuard;
import dev.millrace.server.security.LocalGuard;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** A server that runs, with all that it is made of. */
public final class RunningServer implements AutoCloseable {
  private static final Duration KEY_LOOKS = Duration.ofSeconds(1);
  private static final String ACTOR = "server";
  private static final String TRACER = "dev.millrace";

  private final MillraceServer server;
  private final Admin admin;
  private final Guard guard;
  private final @Nullable ExchangeLook regions;

  private RunningServer(
      MillraceServer server, Admin admin, Guard guard, @Nullable ExchangeLook regions) {
    this.server = server;
    this.admin = admin;
    this.guard = guard;
    this.regions = regions;
  }

  /**
   * Starts a server on {@code table}.
   *
   * @param local whether those on this machine need no key when there is no file of keys
   */
  public static RunningServer start(Settled settled, TableClients table, boolean local) {
    if (settled.log() == Settled.LogForm.JSON) {
      JsonLines.install();
    }
    InstantSource clock = InstantSource.system();
    MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Guard guard = guard(settled, local, clock, meters);
    OpenTelemetry telemetry = Telemetry.of(System.getenv());
    TracedStore buckets = TracedStore.over(table.buckets(), telemetry.getTracer(TRACER));
    Admin admin = Admin.of(buckets, AdminOptions.of(ACTOR));
    ServerLife life = new ServerLife();
    ExchangeLook regions =
        settled.exchange() == null
            ? null
            : new ExchangeLook(admin, buckets, settled.exchange(), Ticker.systemTicker());
    Features features = new Features(meters, clock);
    ServerParts parts =
        new ServerParts(
            new Limiters(buckets, namespace -> options(namespace, features)),
            admin,
            table.usage(),
            guard,
            meters,
            telemetry,
            clock);
    MillraceServer server =
        MillraceServer.start(
            settled.network(),
            parts,
            life,
            features.all(settled, admin, regions == null ? RegionLook.NONE : regions, life));
    return new RunningServer(server, admin, guard, regions);
  }

  private static LimiterOptions options(String namespace, Features features) {
    LimiterOptions.Builder builder = LimiterOptions.builder().namespace(namespace);
    features.listeners(namespace).forEach(builder::listener);
    return builder.build();
  }

  /** Nobody is let in without a key, except to a server that only this machine reaches. */
  private static Guard guard(
      Settled settled, boolean local, InstantSource clock, MeterRegistry meters) {
    Path keys = settled.keys();
    if (keys != null) {
      return new KeyGuard(
          KeyFile.open(keys, KEY_LOOKS), settled.maxRequestsPerKey(), clock, meters);
    }
    if (!local || !settled.network().address().getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "keys is not set, and nobody may call without: make one with 'millrace key new' and name"
              + " its file with --keys");
    }
    return new LocalGuard();
  }

  /** The server itself. */
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
