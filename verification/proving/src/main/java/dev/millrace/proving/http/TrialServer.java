package dev.millrace.proving.http;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedDynamo;
import dev.millrace.proving.soak.SoakClients;
import dev.millrace.server.Limiters;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.adminapi.AdminApi;
import dev.millrace.server.envoy.EnvoyFeature;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.server.observability.ObservabilityFeature;
import dev.millrace.server.observability.Readiness;
import dev.millrace.server.security.LocalGuard;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.InMemoryUsageStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A server on this machine, with all that it observes of itself, on a store that belongs to it. It
 * has one limit for everybody, which hardly refills: what was charged can be counted.
 */
public final class TrialServer implements AutoCloseable {
  /** The only limit. */
  public static final String LIMIT = "tokens";

  /** How many tokens everybody has. */
  public static final long BURST = 1_000_000_000_000L;

  /** What requests are for. */
  public static final String RESOURCE = "api";

  private static final String TABLE = "limits";
  private static final String NAMESPACE = LimiterOptions.DEFAULT_NAMESPACE;

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final MillraceServer server;
  private final Limiters limiters;

  private TrialServer(StoreKind kind, Consumer<String> progress) {
    BlockingStore store = kind == StoreKind.MEMORY ? new InMemoryStore() : engine(progress);
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Admin admin = keep(Admin.of(store, AdminOptions.of("trial")));
    admin
        .in(NAMESPACE)
        .limits()
        .set(LimitTarget.system(), LimitSet.of(Limit.custom(LIMIT, BURST, 1, Limit.MAX_PERIOD)));
    ServerLife life = new ServerLife();
    Readiness readiness = Readiness.of(admin, life);
    ObservabilityFeature observability =
        new ObservabilityFeature(meters, InstantSource.system(), readiness);
    EnvoyFeature envoy = new EnvoyFeature(null, readiness);
    this.limiters =
        new Limiters(
            namespace ->
                RateLimiter.create(
                    envoy.over(namespace, store), options(namespace, observability)));
    this.server =
        MillraceServer.start(
            NetworkSettings.loopback(0),
            new ServerParts(
                limiters,
                admin,
                new InMemoryUsageStore(),
                new LocalGuard(),
                meters,
                OpenTelemetry.noop(),
                InstantSource.system()),
            life,
            List.of(
                new DataPlane(LeaseSettings.defaults(), life),
                observability,
                new AdminApi(observability::live, namespace -> null),
                envoy));
  }

  private static LimiterOptions options(String namespace, ObservabilityFeature observability) {
    LimiterOptions.Builder options = LimiterOptions.builder().namespace(namespace);
    observability.listeners(namespace).forEach(options::listener);
    return options.build();
  }

  /** Starts one. */
  public static TrialServer start(StoreKind kind, Consumer<String> progress) {
    return new TrialServer(kind, progress);
  }

  private BlockingStore engine(Consumer<String> progress) {
    EmbeddedDynamo engine = keep(EmbeddedDynamo.inMemory().onProgress(progress).start());
    var blocking = keep(SoakClients.blocking(engine.endpoint()));
    TableAdmin.of(blocking, TABLE).createIfMissing();
    return DynamoStore.of(blocking, keep(SoakClients.async(engine.endpoint())), TABLE);
  }

  private <C extends AutoCloseable> C keep(C opened) {
    open.push(opened);
    return opened;
  }

  /** Where it is. */
  public URI uri() {
    return server.uri();
  }

  /** The limiter that it asks. */
  public RateLimiter limiter() {
    return limiters.in(NAMESPACE);
  }

  /** The path on which it is asked for tokens. */
  public static String acquirePath() {
    return "/v1/namespaces/" + NAMESPACE + "/acquire";
  }

  /** How many connections it has. */
  public int connections() {
    return server.connections();
  }

  @Override
  public void close() {
    server.close();
    for (AutoCloseable each : open) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
