package dev.millrace.server;

import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.http.ProblemAnswers;
import io.netty.handler.ssl.ClientAuth;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/**
 * A server that serves {@link Feature}s. It stops in good order: those who ask whether it is ready
 * hear no first, requests that are under way are answered, then the features finish, and the
 * limiters give back what they hold.
 */
public final class MillraceServer implements AutoCloseable {
  /** How long nobody may have asked anything before the server stops listening. */
  private static final Duration QUIET = Duration.ofMillis(50);

  /** How long a connection is told that it ends before it does. */
  private static final Duration CONNECTION_DRAIN = Duration.ofMillis(50);

  private static final int MAX_REQUEST_LINE = 4_096;
  private static final int MAX_STREAMS_PER_CONNECTION = 256;

  private final Server server;
  private final NetworkSettings settings;
  private final ServerParts parts;
  private final ServerLife life;
  private final List<Feature> features;

  private MillraceServer(
      Server server,
      NetworkSettings settings,
      ServerParts parts,
      ServerLife life,
      List<Feature> features) {
    this.server = server;
    this.settings = settings;
    this.parts = parts;
    this.life = life;
    this.features = features;
  }

  /** Starts a server whose life nobody else follows. */
  public static MillraceServer start(
      NetworkSettings settings, ServerParts parts, List<Feature> features) {
    return start(settings, parts, new ServerLife(), features);
  }

  /**
   * Starts a server. It closes {@code features} and the limiters when it is closed, and when it
   * cannot start.
   *
   * @throws ServerException if it cannot listen, or a certificate cannot be read
   */
  public static MillraceServer start(
      NetworkSettings settings, ServerParts parts, ServerLife life, List<Feature> features) {
    List<Feature> all = List.copyOf(features);
    MillraceServer started = null;
    try {
      Server server = build(settings, parts, all);
      server.start().join();
      parts.meters().gauge("millrace.server.connections", server, Server::numConnections);
      started = new MillraceServer(server, settings, parts, life, all);
      life.become(ServerState.READY);
      return started;
    } catch (CompletionException | IllegalArgumentException e) {
      Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
      throw new ServerException(
          "the server cannot listen on %s: %s".formatted(settings.address(), cause.getMessage()),
          cause);
    } finally {
      if (started == null) {
        finish(all, parts);
      }
    }
  }

  private static Server build(NetworkSettings settings, ServerParts parts, List<Feature> features) {
    ServerBuilder builder =
        Server.builder()
            .requestTimeout(settings.requestTimeout())
            .idleTimeout(settings.idleTimeout())
            .maxNumConnections(settings.maxConnections())
            .maxRequestLength(settings.maxBodyBytes())
            .http1MaxInitialLineLength(MAX_REQUEST_LINE)
            .http1MaxHeaderSize(settings.maxHeaderBytes())
            .http2MaxHeaderListSize(settings.maxHeaderBytes())
            .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
            .blockingTaskExecutor(settings.maxBlockingThreads())
            .connectionDrainDuration(CONNECTION_DRAIN)
            .bossGroupFactory(BossGroup::of)
            .gracefulShutdownTimeout(QUIET, settings.drainTimeout())
            .meterRegistry(parts.meters())
            .disableServerHeader()
            .unloggedExceptionsReportIntervalMillis(0) // a refusal is no trouble
            .errorHandler(new ProblemAnswers());
    listen(builder, settings);
    SlowHeads.add(builder, settings.headTimeout(), parts.meters());
    features.forEach(feature -> feature.addTo(builder, parts));
    builder.decorator(new InFlight(settings.maxInFlight(), parts.meters())::around);
    return builder.build();
  }

  private static void listen(ServerBuilder builder, NetworkSettings settings) {
    Tls tls = settings.tls();
    if (tls == null) {
      builder.port(settings.address(), SessionProtocol.HTTP);
      return;
    }
    builder.port(settings.address(), SessionProtocol.HTTPS);
    builder.tls(TlsKeyPair.of(tls.key().toFile(), tls.certificate().toFile()));
    Path authorities = tls.clientAuthorities();
    if (authorities != null) {
      builder.tlsCustomizer(
          context -> context.trustManager(authorities.toFile()).clientAuth(ClientAuth.OPTIONAL));
    }
  }

  /** The port on which it listens. */
  public int port() {
    return Objects.requireNonNull(server.activePort(), "it has been closed")
        .localAddress()
        .getPort();
  }

  /** Where it is, for those on this machine. */
  public URI uri() {
    String scheme = settings.tls() == null ? "http" : "https";
    String host = settings.address().getAddress().isAnyLocalAddress() ? "127.0.0.1" : host();
    return URI.create(scheme + "://" + host + ":" + port() + "/");
  }

  private String host() {
    String address = settings.address().getAddress().getHostAddress();
    return address.contains(":") ? "[" + address + "]" : address;
  }

  /** How many connections there are. */
  public int connections() {
    return server.numConnections();
  }

  /** Where it is in its life. */
  public ServerState state() {
    return life.state();
  }

  /**
   * Says that it is about to stop. New work is refused from now on; what was begun can be finished.
   */
  public void drain() {
    life.become(ServerState.DRAINING);
  }

  /** Stops in good order; a second call does nothing. */
  @Override
  public void close() {
    if (server.isClosed()) {
      return;
    }
    drain();
    server.stop().join();
    finish(features, parts);
  }

  private static void finish(List<Feature> features, ServerParts parts) {
    features.forEach(Feature::close);
    parts.limiters().close();
  }
}
