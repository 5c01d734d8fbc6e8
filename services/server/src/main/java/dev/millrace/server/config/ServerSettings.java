package dev.millrace.server.config;

import dev.millrace.s3.S3Location;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.http.LeaseSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of a server.
 *
 * @param keys the file of keys, null for none
 * @param maxRequestsPerKey most requests of one key in a second
 * @param envoyMapping the mapping file of Envoy's descriptors, null for none
 * @param exchange the place where regions exchange snapshots, null when it is not read
 * @param drainWait time between the report that the server is not ready and its stop
 */
public record ServerSettings(
    NetworkSettings network,
    LeaseSettings leases,
    @Nullable Path keys,
    int maxRequestsPerKey,
    @Nullable Path envoyMapping,
    @Nullable Exchange exchange,
    LogForm log,
    Duration drainWait) {
  public enum LogForm {
    /** Lines for people. */
    TEXT,
    /** One JSON object per line. */
    JSON
  }

  /**
   * The place where regions exchange snapshots.
   *
   * @param endpoint of S3, null for AWS
   * @param region of the bucket, null for the one that the SDK finds
   */
  public record Exchange(S3Location place, @Nullable URI endpoint, @Nullable String region) {}

  private static final int MAX_PORT = 65_535;
  private static final int MAX_COUNT = 10_000_000;
  private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

  /** A wait for tokens leaves five seconds of it for the decision. */
  private static final Duration MIN_REQUEST_TIMEOUT = Duration.ofSeconds(6);

  /** The process has 30 s to end in order, which include the remainder of the stop. */
  private static final Duration MAX_DRAIN_WAIT = Duration.ofSeconds(10);

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException with the key, the value, its origin and the rule
   */
  public static ServerSettings of(Config config) {
    return new ServerSettings(
        network(config),
        leases(config),
        config.pathOrNull(ConfigKey.KEYS),
        config.number(ConfigKey.MAX_REQUESTS_PER_KEY, 1, MAX_COUNT),
        config.pathOrNull(ConfigKey.ENVOY_MAPPING),
        exchange(config),
        config.choice(ConfigKey.LOG, LogForm.class),
        config.duration(ConfigKey.DRAIN_WAIT, Duration.ZERO, MAX_DRAIN_WAIT));
  }

  private static @Nullable Exchange exchange(Config config) {
    String place = config.textOrNull(ConfigKey.EXCHANGE);
    if (place == null) {
      return null;
    }
    try {
      return new Exchange(
          S3Location.parse(place),
          config.uriOrNull(ConfigKey.S3_ENDPOINT),
          config.textOrNull(ConfigKey.REGION));
    } catch (IllegalArgumentException e) {
      throw config.wrong(ConfigKey.EXCHANGE, "s3://BUCKET/PREFIX");
    }
  }

  private static NetworkSettings network(Config config) {
    return new NetworkSettings(
        address(config),
        tls(config),
        config.duration(ConfigKey.REQUEST_TIMEOUT, MIN_REQUEST_TIMEOUT, MAX_TIMEOUT),
        config.duration(ConfigKey.HEAD_TIMEOUT, MIN_TIMEOUT, MAX_TIMEOUT),
        config.duration(ConfigKey.IDLE_TIMEOUT, MIN_TIMEOUT, MAX_TIMEOUT),
        config.number(ConfigKey.MAX_CONNECTIONS, 1, MAX_COUNT),
        config.number(ConfigKey.MAX_IN_FLIGHT, 1, MAX_COUNT));
  }

  private static InetSocketAddress address(Config config) {
    try {
      InetAddress host = InetAddress.getAllByName(config.text(ConfigKey.HOST))[0];
      return new InetSocketAddress(host, config.number(ConfigKey.PORT, 0, MAX_PORT));
    } catch (UnknownHostException e) {
      throw config.wrong(ConfigKey.HOST, "an address of this machine");
    }
  }

  private static NetworkSettings.@Nullable Tls tls(Config config) {
    Path certificate = config.pathOrNull(ConfigKey.TLS_CERTIFICATE);
    Path key = config.pathOrNull(ConfigKey.TLS_KEY);
    Path clients = config.pathOrNull(ConfigKey.TLS_CLIENT_CA);
    if (certificate != null && key != null) {
      return new NetworkSettings.Tls(certificate, key, clients);
    }
    if (certificate == null && key == null && clients == null) {
      return null;
    }
    throw new IllegalArgumentException(
        "tls-certificate and tls-key must be given both, and tls-client-ca only with them");
  }

  private static LeaseSettings leases(Config config) {
    String secret = config.textOrNull(ConfigKey.LEASE_SECRET);
    if (secret == null && config.textOrNull(ConfigKey.ADVERTISE) != null) {
      throw new IllegalArgumentException(
          "advertise needs lease-secret: servers believe each other by it");
    }
    return new LeaseSettings(
        secret == null
            ? LeaseSettings.Secret.random()
            : new LeaseSettings.Secret(secret.getBytes(StandardCharsets.UTF_8)),
        config.uriOrNull(ConfigKey.ADVERTISE),
        config.duration(ConfigKey.LEASE_TTL, LeaseSettings.MIN_TTL, LeaseSettings.MAX_TTL),
        config.choice(ConfigKey.ON_EXPIRY, LeaseSettings.OnExpiry.class),
        config.choice(ConfigKey.ON_DRAIN, LeaseSettings.OnExpiry.class),
        config.number(ConfigKey.MAX_LEASES, 1, MAX_COUNT));
  }
}
