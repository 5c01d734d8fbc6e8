package dev.millrace.server.dashboard;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.RegionOperations;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.ServerParts;
import dev.millrace.server.TestParts;
import dev.millrace.server.adminapi.AdminApi;
import dev.millrace.server.http.DataPlane;
import dev.millrace.server.http.LeaseSettings;
import dev.millrace.server.openapi.OpenApi;
import dev.millrace.testkit.InMemoryStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server with tenants and load, which can be stopped and started again on its port. */
final class PageServer implements AutoCloseable {
  private static final long EVERY_MS = 20;
  private static final long HOUR_MS = 3_600_000;
  private static final int HOURS = 12;

  private final InMemoryStore store = new InMemoryStore();
  private final ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
  private final ServerParts first = TestParts.on(store);
  private final CountingLive live = new CountingLive(first.clock());
  private MillraceServer server;
  private ServerParts parts;

  PageServer() {
    fill(first);
    start(first, 0);
    var unused =
        load.scheduleAtFixedRate(
            () -> {
              acquire("key-1");
              acquire("key-2");
            },
            0,
            EVERY_MS,
            TimeUnit.MILLISECONDS);
  }

  String url() {
    return server.uri().toString();
  }

  void stop() {
    server.close();
  }

  /** Starts on the same port and store, as a process would that takes the place of the first. */
  void startAgain(int port) {
    start(TestParts.on(store), port);
  }

  int port() {
    return server.uri().getPort();
  }

  private void start(ServerParts with, int port) {
    ServerLife life = new ServerLife();
    parts = with;
    server =
        MillraceServer.start(
            NetworkSettings.loopback(port),
            with,
            life,
            List.of(
                new Dashboard(),
                new OpenApi(),
                new AdminApi(live::snapshot, PageServer::look),
                new DataPlane(LeaseSettings.defaults(), life)));
  }

  /** The exchange with the other region of the namespace {@code geo}. */
  private static Map<String, @Nullable Object> look(String namespace) {
    return Map.of(
        "agesMs", Map.of("us", 75_000), "meanSharesPpm", Map.of("eu", 600_000, "us", 400_000));
  }

  /** Six hundred a minute of each are admitted, the rest is refused. */
  private void acquire(String entity) {
    try {
      Acquisition answer =
          parts
              .limiters()
              .in("default")
              .tryAcquire(AcquireRequest.of(entity, "gpt-4o").consume("rpm", 1));
      boolean granted = answer instanceof Acquisition.Granted;
      live.count(entity, granted);
    } catch (RuntimeException e) {
      // The server is being stopped: its limiters are closed.
    }
  }

  private static void fill(ServerParts with) {
    NamespaceAdmin tenants = with.admin().in("default");
    List<NewEntity> all =
        List.of(
            NewEntity.of("acme").named("Acme Inc"),
            NewEntity.of("team-a").under("acme").cascading(),
            NewEntity.of("key-1").named("Production").under("team-a"),
            NewEntity.of("key-2").under("team-a"),
            NewEntity.of("globex"),
            NewEntity.of("evil").named("<img src=x onerror=alert(1)>"));
    var created = tenants.entities().createAll(all);
    if (created.created() != all.size()) {
      throw new IllegalStateException("not all were created: " + created);
    }
    var unused =
        tenants
            .limits()
            .set(
                LimitTarget.resource("gpt-4o"),
                LimitSet.of(
                    Limit.perMinute("rpm", 600), Limit.perMinute("tpm", 40_000).withBurst(80_000)));
    String shared = with.admin().namespaces().register("geo").name();
    var founded =
        new RegionOperations(with.admin().in(shared), AllocationPolicy.DEFAULT)
            .found("eu", List.of("eu", "us"));
    if (!founded.changed()) {
      throw new IllegalStateException("was founded before");
    }
    long now = with.clock().millis();
    for (int hour = 0; hour < HOURS; hour++) {
      SequenceNumber number = SequenceNumber.of(String.valueOf(hour + 1));
      var unusedReply =
          with.usage()
              .apply(
                  new UsageWrite(
                      UsageKey.at("default", "key-1", "gpt-4o", Window.HOUR, now - hour * HOUR_MS),
                      Map.of("rpm", 1_000L * (200 + 37 * (hour % 5)), "tpm", 900_000L),
                      1,
                      new UsageWrite.InOrder(Map.of(0, new UsageWrite.Run(number, number))),
                      UsageWrite.NEVER));
    }
  }

  @Override
  public void close() {
    load.shutdownNow();
    server.close();
  }
}
