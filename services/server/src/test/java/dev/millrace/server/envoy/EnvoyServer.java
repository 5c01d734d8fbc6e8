package dev.millrace.server.envoy;

import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.TimeSource;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.server.Limiters;
import dev.millrace.server.ServerParts;
import dev.millrace.server.security.LocalGuard;
import dev.millrace.testkit.InMemoryUsageStore;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.file.Path;
import java.time.InstantSource;

/** A server with nothing but Envoy's service, in the process of the test. */
final class EnvoyServer implements AutoCloseable {
  static final Path MAPPING = Path.of("src/test/resources/dev/millrace/server/envoy/mapping.yaml");

  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final SettableHealthChecker health = new SettableHealthChecker();
  private final EnvoyFeature feature = new EnvoyFeature(MAPPING, health);
  private final Limiters limiters;
  private final Server server;

  EnvoyServer(BlockingStore store, TimeSource time) {
    this.limiters =
        new Limiters(
            namespace ->
                RateLimiter.create(
                    feature.over(namespace, store),
                    LimiterOptions.builder().namespace(namespace).time(time).build()));
    InstantSource clock = () -> java.time.Instant.ofEpochMilli(time.nowMs());
    ServerParts parts =
        new ServerParts(
            limiters,
            Admin.of(store, AdminOptions.of("test")),
            new InMemoryUsageStore(),
            new LocalGuard(),
            meters,
            OpenTelemetry.noop(),
            clock);
    ServerBuilder builder = Server.builder().http(0).gracefulShutdownTimeoutMillis(0, 0);
    feature.addTo(builder, parts);
    this.server = builder.build();
    server.start().join();
  }

  String address() {
    return "127.0.0.1:" + server.activeLocalPort();
  }

  RateLimitServiceBlockingStub client() {
    return GrpcClients.newClient(
        "gproto+http://" + address() + "/", RateLimitServiceBlockingStub.class);
  }

  Limiters limiters() {
    return limiters;
  }

  SettableHealthChecker health() {
    return health;
  }

  double counted(String rule, String outcome) {
    return meters
        .get(EnvoyMeters.DECISIONS)
        .tags("rule", rule, "outcome", outcome)
        .counter()
        .count();
  }

  double unknown(String what) {
    return meters.get(EnvoyMeters.UNKNOWN).tags("what", what).counter().count();
  }

  RateLimitResponse ask(RateLimitRequest.Builder request) {
    return client().shouldRateLimit(request.build());
  }

  static RateLimitRequest.Builder request(String domain, RateLimitDescriptor... descriptors) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addAllDescriptors(java.util.List.of(descriptors));
  }

  static RateLimitDescriptor descriptor(String... keysAndValues) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      descriptor.addEntries(
          RateLimitDescriptor.Entry.newBuilder()
              .setKey(keysAndValues[i])
              .setValue(keysAndValues[i + 1]));
    }
    return descriptor.build();
  }

  @Override
  public void close() {
    server.stop().join();
    feature.close();
    limiters.close();
  }
}
