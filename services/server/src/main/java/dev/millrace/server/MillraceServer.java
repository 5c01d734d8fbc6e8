package dev.millrace.server;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.TlsKeyPair;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.TransportType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.millrace.server.http.ProblemResponses;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server of {@link Feature}s. It stops in order: readiness becomes false, requests in
 * flight are answered, the features finish, and the limiters give back what they hold.
 */
public final class MillraceServer implements AutoCloseable {
  /** Time without a request after which the server stops listening. */
  private static final Duration QUIET = Duration.ofMillis(50);

  /** Time between the notice that a connection ends and its end. */
  private static final Duration CONNECTION_DRAIN = Duration.ofMillis(50);

  /** Longest time for requests in flight when the server stops. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private static final int MAX_REQUEST_LINE = 4_096;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_BODY_BYTES = 64 * 1024;
  private static final int MAX_STREAMS_PER_CONNECTION = 256;
  private static final int MAX_BLOCKING_THREADS = 32;

  private final Server server;
  private final NetworkSettings settings;
  private final ServerParts parts;
  private final ServerLife life;
  private final List<Feature> features;

  private MillraceServer(
      NetworkSettings settings, ServerParts parts, ServerLife life, List<Feature> features) {
    this.settings = settings;
    this.parts = parts;
    this.life = life;
    this.features = List.copyOf(features);
    boolean started = false;
    try {
      this.server = build();
      server.start().join();
      parts.meters().gauge("millrace.server.connections", server, Server::numConnections);
      life.become(ServerLife.State.READY);
      started = true;
    } catch (CompletionException | IllegalArgumentException e) {
      Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
      throw new ServerException(
          "the server cannot listen on %s: %s".formatted(settings.address(), cause.getMessage()),
          cause);
    } finally {
      if (!started) {
        finish();
      }
    }
  }

  /**
   * Starts a server. It closes {@code features} and the limiters when it is closed, and when it
   * cannot start.
   *
   * @throws ServerException if it cannot listen, or a certificate cannot be read
   */
  public static MillraceServer start(
      NetworkSettings settings, ServerParts parts, ServerLife life, List<Feature> features) {
    return new MillraceServer(settings, parts, life, features);
  }

  private Server build() {
    ServerBuilder builder =
        Server.builder()
            .requestTimeout(settings.requestTimeout())
            .idleTimeout(settings.idleTimeout())
            .maxNumConnections(settings.maxConnections())
            .maxRequestLength(MAX_BODY_BYTES)
            .http1MaxInitialLineLength(MAX_REQUEST_LINE)
            .http1MaxHeaderSize(MAX_HEADER_BYTES)
            .http2MaxHeaderListSize(MAX_HEADER_BYTES)
            .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
            .blockingTaskExecutor(MAX_BLOCKING_THREADS)
            .connectionDrainDuration(CONNECTION_DRAIN)
            .bossGroupFactory(AcceptorGroup::of)
            .gracefulShutdownTimeout(QUIET, DRAIN_TIMEOUT)
            .meterRegistry(parts.meters())
            .disableServerHeader()
            .unloggedExceptionsReportIntervalMillis(0) // a refusal is an ordinary answer
            .errorHandler(new ProblemResponses());
    listen(builder);
    RequestHeadTimeout.add(builder, settings.headTimeout(), parts.meters());
    features.forEach(feature -> feature.addTo(builder, parts));
    builder.decorator(new InFlightLimit(settings.maxInFlight(), parts.meters())::serve);
    return builder.build();
  }

  private void listen(ServerBuilder builder) {
    NetworkSettings.Tls tls = settings.tls();
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

  /** The address of the server for processes on the same machine. */
  public URI uri() {
    InetAddress address = settings.address().getAddress();
    String text = address.getHostAddress();
    String host = text.contains(":") ? "[" + text + "]" : text;
    return URI.create(
        "%s://%s:%d/"
            .formatted(
                settings.tls() == null ? "http" : "https",
                address.isAnyLocalAddress() ? "127.0.0.1" : host,
                Objects.requireNonNull(server.activePort(), "it has been closed")
                    .localAddress()
                    .getPort()));
  }

  public int connections() {
    return server.numConnections();
  }

  public ServerLife.State state() {
    return life.state();
  }

  /** Refuses new work from now on; work that has begun can be finished. */
  public void drain() {
    life.become(ServerLife.State.DRAINING);
  }

  /** Stops in order; a second call does nothing. */
  @Override
  public void close() {
    if (!server.isClosed()) {
      drain();
      server.stop().join();
      finish();
    }
  }

  private void finish() {
    features.forEach(Feature::close);
    parts.limiters().close();
  }

  /**
   * The thread that accepts connections. Its shutdown has no quiet period, which by default is two
   * seconds: after the last port is closed there is nothing to accept.
   */
  private static final class AcceptorGroup extends MultiThreadIoEventLoopGroup {
    private static final long MAX_SHUTDOWN_SECONDS = 5;

    private AcceptorGroup(String name, IoHandlerFactory handlers) {
      super(1, (ThreadFactory) task -> new Thread(task, name), handlers);
    }

    static EventLoopGroup of(String name) {
      TransportType transport = Flags.transportType();
      if (transport == TransportType.EPOLL) {
        return new AcceptorGroup(name, EpollIoHandler.newFactory());
      }
      return transport == TransportType.NIO
          ? new AcceptorGroup(name, NioIoHandler.newFactory())
          : EventLoopGroups.newEventLoopGroup(1, name);
    }

    @Override
    public Future<?> shutdownGracefully() {
      return shutdownGracefully(0, MAX_SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }
  }
}
