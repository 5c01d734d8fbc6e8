package dev.millrace.server.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a server can be told. {@code lease-ttl} in the file is {@code MILLRACE_LEASE_TTL}
 * in the environment and {@code --lease-ttl} on the command line; {@code docs/guide/server.md} has
 * the same list.
 */
public enum ConfigKey {
  /** Where it listens. */
  HOST("127.0.0.1", "Address to listen on; 0.0.0.0 for all."),
  /** On which port. */
  PORT("8080", "Port to listen on; 0 for any that is free."),
  /** The table. */
  TABLE("limits", "The table."),
  /** Where DynamoDB is. */
  ENDPOINT(null, "DynamoDB, with any credentials; AWS when not set."),
  /** The region. */
  REGION(null, "The region; what the AWS SDK finds when not set."),
  /** The file of keys. */
  KEYS(null, "File of keys and certificates that may call."),
  /** The server's certificate. */
  TLS_CERTIFICATE(null, "File of the server's certificate, PEM."),
  /** Its private key. */
  TLS_KEY(null, "File of its private key, PEM."),
  /** Who vouches for clients. */
  TLS_CLIENT_CA(null, "File of the authorities that vouch for clients, PEM."),
  /** What ids of leases are signed with. */
  LEASE_SECRET(
      null, "What ids of leases are signed with, the same for all servers; 16 characters or more."),
  /** Where other servers reach this one. */
  ADVERTISE(null, "URL at which other servers reach this one, for calls about its leases."),
  /** What Envoy's descriptors stand for. */
  ENVOY_MAPPING(null, "File that maps Envoy's descriptors to buckets; see 'millrace envoy'."),
  /** Where regions exchange snapshots. */
  EXCHANGE(null, "Where regions exchange snapshots, s3://BUCKET/PREFIX, to tell how they stand."),
  /** Where S3 is. */
  S3_ENDPOINT(null, "S3, with any credentials; AWS when not set."),
  /** How it logs. */
  LOG("TEXT", "How it logs: TEXT, or JSON for one event a line."),
  /** How long leases live. */
  LEASE_TTL("PT60S", "How long a lease lives when the request does not say."),
  /** What becomes of them then. */
  ON_EXPIRY("KEEP", "What becomes of its charge then: KEEP or REFUND."),
  /** What becomes of them at a stop. */
  ON_DRAIN("KEEP", "What becomes of open leases when the server stops: KEEP or REFUND."),
  /** Most open leases. */
  MAX_LEASES("100000", "Most open leases."),
  /** Most requests of one key. */
  MAX_REQUESTS_PER_KEY("10000", "Most requests of one key in a second."),
  /** Longest request. */
  REQUEST_TIMEOUT("PT30S", "Longest time for a request."),
  /** Longest head of a request. */
  HEAD_TIMEOUT("PT10S", "Longest time until a connection has sent the head of a request."),
  /** Longest silence. */
  IDLE_TIMEOUT("PT60S", "How long a connection may stay open without a request."),
  /** Most connections. */
  MAX_CONNECTIONS("10000", "Most connections."),
  /** Most requests at a time. */
  MAX_IN_FLIGHT("4096", "Most requests at a time."),
  /** How long to be not ready before the stop. */
  DRAIN_WAIT(
      "PT0S", "How long to serve on as not ready before stopping, so that balancers notice.");

  private final @Nullable String usual;
  private final String description;

  ConfigKey(@Nullable String usual, String description) {
    this.usual = usual;
    this.description = description;
  }

  /** Its name in the file. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its name on the command line. */
  public String flag() {
    return "--" + key();
  }

  /** Its name in the environment. */
  public String variable() {
    return "MILLRACE_" + name();
  }

  /** What it is when nobody says, null when it is not set then. */
  public @Nullable String usual() {
    return usual;
  }

  /** What it is, for people. */
  public String description() {
    return description;
  }

  /** Whether its value must not be shown. */
  public boolean isSecret() {
    return this == LEASE_SECRET;
  }
}
