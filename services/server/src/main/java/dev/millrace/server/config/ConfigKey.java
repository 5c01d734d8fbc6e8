package dev.millrace.server.config;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The configuration keys of a server. {@code lease-ttl} in the file is {@code MILLRACE_LEASE_TTL}
 * in the environment and {@code --lease-ttl} on the command line; {@code docs/guide/server.md} has
 * the same list.
 */
public enum ConfigKey {
  HOST("127.0.0.1", "Address to listen on; 0.0.0.0 for all."),
  PORT("8080", "Port to listen on; 0 for any that is free."),
  TABLE("limits", "The table."),
  ENDPOINT(null, "DynamoDB, with any credentials; AWS when not set."),
  REGION(null, "The region; what the AWS SDK finds when not set."),
  KEYS(null, "File of keys and certificates that may call."),
  TLS_CERTIFICATE(null, "File of the server's certificate, PEM."),
  TLS_KEY(null, "File of its private key, PEM."),
  TLS_CLIENT_CA(null, "File of the authorities that vouch for clients, PEM."),
  LEASE_SECRET(
      null, "What ids of leases are signed with, the same for all servers; 16 characters or more."),
  ADVERTISE(null, "URL at which other servers reach this one, for calls about its leases."),
  ENVOY_MAPPING(null, "File that maps Envoy's descriptors to buckets; see 'millrace envoy'."),
  EXCHANGE(null, "Where regions exchange snapshots, s3://BUCKET/PREFIX, to tell how they stand."),
  S3_ENDPOINT(null, "S3, with any credentials; AWS when not set."),
  LOG("TEXT", "How it logs: TEXT, or JSON for one event a line."),
  LEASE_TTL("PT60S", "How long a lease lives when the request does not say."),
  ON_EXPIRY("KEEP", "What becomes of its charge then: KEEP or REFUND."),
  ON_DRAIN("KEEP", "What becomes of open leases when the server stops: KEEP or REFUND."),
  MAX_LEASES("100000", "Most open leases."),
  MAX_REQUESTS_PER_KEY("10000", "Most requests of one key in a second."),
  REQUEST_TIMEOUT("PT30S", "Longest time for a request."),
  HEAD_TIMEOUT("PT10S", "Longest time until a connection has sent the head of a request."),
  IDLE_TIMEOUT("PT60S", "How long a connection may stay open without a request."),
  MAX_CONNECTIONS("10000", "Most connections."),
  MAX_IN_FLIGHT("4096", "Most requests at a time."),
  DRAIN_WAIT(
      "PT0S", "How long to serve on as not ready before stopping, so that balancers notice.");

  private final @Nullable String defaultText;
  private final String description;

  ConfigKey(@Nullable String defaultText, String description) {
    this.defaultText = defaultText;
    this.description = description;
  }

  /** The name in the file. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name on the command line. */
  public String flag() {
    return "--" + key();
  }

  /** The name in the environment. */
  public String variable() {
    return "MILLRACE_" + name();
  }

  @Nullable String defaultText() {
    return defaultText;
  }

  /** One sentence for the help, with the default. */
  public String descriptionWithDefault() {
    return defaultText == null ? description : description + " (default: " + defaultText + ")";
  }
}
