package dev.millrace.server.config;

import dev.millrace.s3.S3Location;
import dev.millrace.server.NetworkSettings;
import dev.millrace.server.Tls;
import dev.millrace.server.lease.LeaseSecret;
import dev.millrace.server.lease.LeaseSettings;
import dev.millrace.server.lease.OnExpiry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a server makes of its configuration, every value checked.
 *
 * @param network where it listens, and its limits
 * @param leases how it holds leases
 * @param keys the file of keys, null when there is none
 * @param maxRequestsPerKey most requests of one key in a second
 * @param envoyMapping what Envoy's descriptors stand for, null when nobody says
 * @param exchange where regions leave their snapshots, null when it is not read
 * @param log how it logs
 * @param drainWait how long to serve on as not ready before stopping
 */
public record Settled(
    NetworkSettings network,
    LeaseSettings leases,
    @Nullable Path keys,
    int maxRequestsPerKey,
    @Nullable Path envoyMapping,
    @Nullable Exchange exchange,
    LogForm log,
    Duration drainWait) {
  /** How a server logs. */
  public enum LogForm {
    /** For people. */
    TEXT,
    /** For machines, one event a line. */
    JSON
  }

  /**
   * Where regions leave their snapshots.
   *
   * @param endpoint of S3, null for AWS
   * @param region of the bucket, null for what the SDK finds
   */
  public record Exchange(S3Location place, @Nullable URI endpoint, @Nullable String region) {}

  private static final int MAX_PORT = 65_535;
  private static final int MANY = 10_000_000;
  private static final Duration MOMENT = Duration.ofMillis(100);

  /** The process has 30 s to end in good order, of which the rest of the stop needs its part. */
  private static final Duration MOST_DRAIN_WAIT = Duration.ofSeconds(10);

  private static final Duration LONG = Duration.ofMinutes(10);

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException with the key, the value, where it comes from and the rule
   */
  public static Settled of(Config config) {
    return new Settled(
        network(config),
        leases(config),
        config.pathOrNull(ConfigKey.KEYS),
        config.number(ConfigKey.MAX_REQUESTS_PER_KEY, 1, MANY),
        config.pathOrNull(ConfigKey.ENVOY_MAPPING),
        exchange(config),
        config.choice(ConfigKey.LOG, LogForm.class),
        config.duration(ConfigKey.DRAIN_WAIT, Duration.ZERO, MOST_DRAIN_WAIT));
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
    // A wait must leave five seconds for the decision.
    return NetworkSettings.at(address(config))
        .encrypted(tls(config))
        .timeouts(
            config.duration(ConfigKey.REQUEST_TIMEOUT, Duration.ofSeconds(6), LONG),
            config.duration(ConfigKey.HEAD_TIMEOUT, MOMENT, LONG),
            config.duration(ConfigKey.IDLE_TIMEOUT, MOMENT, LONG))
        .most(
            config.number(ConfigKey.MAX_CONNECTIONS, 1, MANY),
            config.number(ConfigKey.MAX_IN_FLIGHT, 1, MANY));
  }

  private static InetSocketAddress address(Config config) {
    try {
      InetAddress host = InetAddress.getAllByName(config.text(ConfigKey.HOST))[0];
      return new InetSocketAddress(host, config.number(ConfigKey.PORT, 0, MAX_PORT));
    } catch (UnknownHostException e) {
      throw config.wrong(ConfigKey.HOST, "an address of this machine");
    }
  }

  private static @Nullable Tls tls(Config config) {
    Path certificate = config.pathOrNull(ConfigKey.TLS_CERTIFICATE);
    Path key = config.pathOrNull(ConfigKey.TLS_KEY);
    Path clients = config.pathOrNull(ConfigKey.TLS_CLIENT_CA);
    if (certificate != null && key != null) {
      return new Tls(certificate, key, clients);
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
    return LeaseSettings.of(
            secret == null
                ? LeaseSecret.random()
                : LeaseSecret.of(secret.getBytes(StandardCharsets.UTF_8)),
            config.uriOrNull(ConfigKey.ADVERTISE))
        .ends(
            config.duration(ConfigKey.LEASE_TTL, LeaseSettings.MIN_TTL, LeaseSettings.MAX_TTL),
            config.choice(ConfigKey.ON_EXPIRY, OnExpiry.class),
            config.choice(ConfigKey.ON_DRAIN, OnExpiry.class))
        .open(config.number(ConfigKey.MAX_LEASES, 1, MANY));
  }
}
