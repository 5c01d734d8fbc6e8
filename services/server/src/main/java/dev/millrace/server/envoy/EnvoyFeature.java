package dev.millrace.server.envoy;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import com.linecorp.armeria.server.grpc.GrpcHealthCheckService;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.healthcheck.ListenableHealthChecker;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.security.Scope;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Envoy's rate-limit service, with what gRPC clients expect beside it: health, which tells whether
 * the server is ready and asks for no key, as probes have none, and reflection.
 */
public final class EnvoyFeature implements Feature {
  /**
   * Most bytes of a request: as many descriptors as there may be, each with as long a header as a
   * proxy takes by default. It is more than other requests may have, because a request that is
   * refused for its length is let through by most proxies.
   */
  private static final int MAX_REQUEST_BYTES = 4 * 1024 * 1024;

  private final @Nullable Path file;
  private final SeenBuckets seen;
  private final ListenableHealthChecker health;
  private @Nullable MappingFile mapping;

  /**
   * The service.
   *
   * @param file the mapping; null for none, and then everything is let through as unknown
   * @param seen what hears the limiters of the server, so that answers can tell what is left
   * @param health whether the server is ready
   */
  public EnvoyFeature(@Nullable Path file, SeenBuckets seen, ListenableHealthChecker health) {
    this.file = file;
    this.seen = seen;
    this.health = health;
  }

  /**
   * Adds the service.
   *
   * @throws MappingException when the mapping file is wrong
   */
  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    EnvoyMeters meters = new EnvoyMeters(parts.meters());
    Supplier<Mapping> current = () -> Mapping.NONE;
    if (file != null) {
      MappingFile opened =
          new MappingFile(
              file,
              (now, good) -> {
                meters.reloaded(good);
                meters.use(now);
              });
      meters.use(opened.mapping());
      mapping = opened;
      current = opened::mapping;
    }
    Buckets buckets = new Buckets(parts.limiters(), seen, parts.clock());
    GrpcService service =
        GrpcService.builder()
            .addService(new RateLimitService(buckets, current, meters))
            .addService(ProtoReflectionServiceV1.newInstance())
            .maxRequestMessageLength(MAX_REQUEST_BYTES)
            .build();
    Function<? super HttpService, ? extends HttpService> guard =
        parts.guard().requiring(Scope.ACQUIRE);
    server.service(service, next -> new Roomy(guard.apply(next)));
    server.service(
        GrpcService.builder()
            .addService(
                GrpcHealthCheckService.builder()
                    .checkers(health)
                    .serviceCheckers(RateLimitServiceGrpc.SERVICE_NAME, health)
                    .build())
            .build());
  }

  /** Lets requests be as long as this service needs. */
  private static final class Roomy extends SimpleDecoratingHttpService {
    Roomy(HttpService next) {
      super(next);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
      return unwrap().serve(context, request);
    }

    @Override
    public ServiceOptions options() {
      return ServiceOptions.builder().maxRequestLength(MAX_REQUEST_BYTES).build();
    }
  }

  @Override
  public void close() {
    MappingFile opened = mapping;
    if (opened != null) {
      opened.close();
    }
  }
}
