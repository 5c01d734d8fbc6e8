package dev.millrace.server.envoy;

import static dev.millrace.server.envoy.EnvoyServer.descriptor;
import static dev.millrace.server.envoy.EnvoyServer.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UInt64Value;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.server.healthcheck.SettableHealthChecker;
import dev.millrace.server.MillraceServer;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.ServerLife;
import dev.millrace.server.TestParts;
import dev.millrace.server.security.KeyGuard;
import dev.millrace.server.security.KeyRing;
import dev.millrace.server.security.NewKey;
import dev.millrace.server.security.Scope;
import dev.millrace.testkit.InMemoryStore;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authentication of callers of Envoy's service, as gRPC clients see it. */
class EnvoyGuardTest {
  private final NewKey proxy = NewKey.of("proxy", Set.of(Scope.ACQUIRE), null, null);
  private final NewKey reader = NewKey.of("page", Set.of(Scope.READ), null, null);
  private final NewKey elsewhere = NewKey.of("other", Set.of(Scope.ACQUIRE), "prod", null);

  @TempDir private Path directory;

  @Test
  void shouldRateLimit_byKey_isForThoseWhoMay() throws Exception {
    Path keys =
        Files.writeString(
            directory.resolve("keys.yaml"),
            "keys:\n" + proxy.entry() + reader.entry() + elsewhere.entry());
    SettableHealthChecker health = new SettableHealthChecker();
    try (KeyGuard guard =
            new KeyGuard(
                KeyRing.watch(keys, Duration.ofMinutes(1)),
                1_000,
                InstantSource.system(),
                new SimpleMeterRegistry());
        MillraceServer server =
            MillraceServer.start(
                NetworkSettings.loopback(0),
                TestParts.on(new InMemoryStore(), guard),
                new ServerLife(),
                List.of(new EnvoyFeature(EnvoyServer.MAPPING, health)))) {
      assertThat(ask(server, proxy).getOverallCode()).isEqualTo(Code.OK);
      assertRefused(Status.Code.UNAUTHENTICATED, server, null);
      assertRefused(Status.Code.PERMISSION_DENIED, server, reader);
      assertRefused(Status.Code.PERMISSION_DENIED, server, elsewhere);
      assertLongValuesAreLimited(server);
      assertThat(health(server)).isEqualTo(ServingStatus.SERVING);
      health.setHealthy(false);
      assertThat(health(server)).isEqualTo(ServingStatus.NOT_SERVING);
    }
  }

  /** More than other requests may have: an error would let it through, past the limit. */
  private void assertLongValuesAreLimited(MillraceServer server) {
    RateLimitDescriptor large =
        descriptor("tenant", "x".repeat(60_000)).toBuilder()
            .setHitsAddend(UInt64Value.of(4))
            .build();
    assertThat(ask(server, proxy, large, large).getOverallCode()).isEqualTo(Code.OK);
    assertThat(ask(server, proxy, large, large).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
  }

  private static void assertRefused(Status.Code code, MillraceServer server, @Nullable NewKey key) {
    assertThatThrownBy(() -> ask(server, key))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
  }

  private static RateLimitResponse ask(MillraceServer server, @Nullable NewKey key) {
    return ask(server, key, descriptor("tenant", "acme"));
  }

  private static RateLimitResponse ask(
      MillraceServer server, @Nullable NewKey key, RateLimitDescriptor... descriptors) {
    GrpcClientBuilder client = GrpcClients.builder(uri(server));
    if (key != null) {
      client.addHeader(HttpHeaderNames.AUTHORIZATION, "Bearer " + key.text());
    }
    return client
        .build(RateLimitServiceBlockingStub.class)
        .shouldRateLimit(request("edge", descriptors).build());
  }

  private static ServingStatus health(MillraceServer server) {
    return GrpcClients.newClient(uri(server), HealthBlockingStub.class)
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }

  private static String uri(MillraceServer server) {
    return "gproto+http://127.0.0.1:" + server.uri().getPort() + "/";
  }
}
