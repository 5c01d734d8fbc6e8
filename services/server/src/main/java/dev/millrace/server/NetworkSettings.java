package dev.millrace.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a server listens, and how much anybody may ask of it.
 *
 * @param address where; port 0 is any that is free
 * @param tls how connections are encrypted, null when they are not
 * @param requestTimeout longest time for a request, from the end of its head to its answer
 * @param headTimeout longest time until a connection has sent the head of a request
 * @param idleTimeout how long a connection may stay open without a request
 * @param maxConnections most connections at a time
 * @param maxInFlight most requests at a time
 * @param maxHeaderBytes longest head of a request
 * @param maxBodyBytes longest body of a request
 * @param maxBlockingThreads most threads for what blocks
 * @param drainTimeout longest time for requests that are under way when the server stops
 */
public record NetworkSettings(
    InetSocketAddress address,
    @Nullable Tls tls,
    Duration requestTimeout,
    Duration headTimeout,
    Duration idleTimeout,
    int maxConnections,
    int maxInFlight,
    int maxHeaderBytes,
    int maxBodyBytes,
    int maxBlockingThreads,
    Duration drainTimeout) {
  /** The limits when nobody says otherwise. */
  public static NetworkSettings at(InetSocketAddress address) {
    return new NetworkSettings(
        address,
        null,
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        10_000,
        4_096,
        16 * 1024,
        64 * 1024,
        32,
        Duration.ofSeconds(10));
  }

  /** For this machine only, without encryption. */
  public static NetworkSettings loopback(int port) {
    return at(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** The same with other limits on time. */
  public NetworkSettings timeouts(Duration request, Duration head, Duration idle) {
    return new NetworkSettings(
        address,
        tls,
        request,
        head,
        idle,
        maxConnections,
        maxInFlight,
        maxHeaderBytes,
        maxBodyBytes,
        maxBlockingThreads,
        drainTimeout);
  }

  /** The same with other limits on numbers. */
  public NetworkSettings most(int connections, int inFlight) {
    return new NetworkSettings(
        address,
        tls,
        requestTimeout,
        headTimeout,
        idleTimeout,
        connections,
        inFlight,
        maxHeaderBytes,
        maxBodyBytes,
        maxBlockingThreads,
        drainTimeout);
  }

  /** The same, encrypted. */
  public NetworkSettings encrypted(@Nullable Tls value) {
    return new NetworkSettings(
        address,
        value,
        requestTimeout,
        headTimeout,
        idleTimeout,
        maxConnections,
        maxInFlight,
        maxHeaderBytes,
        maxBodyBytes,
        maxBlockingThreads,
        drainTimeout);
  }
}
