package dev.millrace.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server and the bounds on its connections and requests.
 *
 * @param address port 0 is any that is free
 * @param tls null for connections without encryption
 * @param requestTimeout longest time for a request, from the end of its head to its answer
 * @param headTimeout longest time until a connection has sent the head of a request
 * @param idleTimeout longest time of a connection without a request
 * @param maxConnections most connections at a time
 * @param maxInFlight most requests at a time
 */
public record NetworkSettings(
    InetSocketAddress address,
    @Nullable Tls tls,
    Duration requestTimeout,
    Duration headTimeout,
    Duration idleTimeout,
    int maxConnections,
    int maxInFlight) {
  /**
   * The PEM files for encrypted connections.
   *
   * @param certificate the server's certificate and its chain
   * @param key its private key
   * @param clientAuthorities authorities for client certificates, null when none are asked for
   */
  public record Tls(Path certificate, Path key, @Nullable Path clientAuthorities) {}

  /** The defaults, for this machine only, without encryption. */
  public static NetworkSettings loopback(int port) {
    return new NetworkSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        null,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        10_000,
        4_096);
  }
}
