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
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.server.Feature;
import dev.millrace.server.ServerParts;
import dev.millrace.server.WatchedFile;
import dev.millrace.server.security.Scope;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Envoy's rate-limit service, with the services that gRPC clients expect beside it: reflection, and
 * health, which is the readiness of the server and needs no key, because probes have none.
 */
public final class EnvoyFeature implements Feature {
  /**
   * Most bytes of a request: as many descriptors as there may be, each with as long a header as a
   * proxy takes by default. It is more than other requests may have, because most proxies let a
   * request through when their call is refused for its length.
   */
  private static final int MAX_REQUEST_BYTES = 4 * 1024 * 1024;

  private static final Duration MAPPING_PAUSE = Duration.ofSeconds(1);

  private final @Nullable Path file;
  private final RecentBalances recent = new RecentBalances();
  private final ListenableHealthChecker health;
  private @Nullable WatchedFile<EnvoyMapping> mapping;

  /**
   * The service.
   *
   * @param file the mapping; null for none, and then every request is unknown and let through
   * @param health the readiness of the server
   */
  public EnvoyFeature(@Nullable Path file, ListenableHealthChecker health) {
    this.file = file;
    this.health = health;
  }

  /**
   * The store that the limiter of {@code namespace} must use; {@code store} is asynchronous too.
   */
  public BlockingStore over(String namespace, BlockingStore store) {
    return recent.over(namespace, store);
  }

  /**
   * Adds the service.
   *
   * @throws MappingException when the mapping file is wrong
   */
  @Override
  public void addTo(ServerBuilder server, ServerParts parts) {
    EnvoyMeters meters = new EnvoyMeters(parts.meters());
    Supplier<EnvoyMapping> current = () -> EnvoyMapping.NONE;
    if (file != null) {
      meters.use(MappingReader.read(file));
      WatchedFile<EnvoyMapping> watched = watch(file, meters, MAPPING_PAUSE);
      mapping = watched;
      current = watched::value;
    }
    BucketQueries buckets = new BucketQueries(parts.limiters(), recent, parts.clock());
    GrpcService service =
        GrpcService.builder()
            .addService(new RateLimitService(buckets, current, meters))
            .addService(ProtoReflectionServiceV1.newInstance())
            .maxRequestMessageLength(MAX_REQUEST_BYTES)
            .build();
    server.service(
        service, next -> new LongRequests(next.decorate(parts.guard().requiring(Scope.ACQUIRE))));
    server.service(
        GrpcService.builder()
            .addService(
                GrpcHealthCheckService.builder()
                    .checkers(health)
                    .serviceCheckers(RateLimitServiceGrpc.SERVICE_NAME, health)
                    .build())
            .build());
  }

  /** A mapping whose changes take effect at once and are counted. */
  static WatchedFile<EnvoyMapping> watch(Path file, EnvoyMeters meters, Duration pause) {
    return new WatchedFile<>(
        file,
        text -> MappingReader.read(file.toString(), text),
        (now, good) -> {
          meters.reloaded(good);
          meters.use(now);
        },
        pause);
  }

  /** A decorator that allows requests of {@link #MAX_REQUEST_BYTES}. */
  private static final class LongRequests extends SimpleDecoratingHttpService {
    LongRequests(HttpService next) {
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
    if (mapping != null) {
      mapping.close();
    }
  }
}
