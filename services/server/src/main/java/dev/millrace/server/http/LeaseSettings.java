package dev.millrace.server.http;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The settings of leases.
 *
 * @param secret the key that signs ids, the same for all servers that forward to each other
 * @param advertised the address of this server for other servers, null for none
 * @param ttl the life of a lease when the request has none
 * @param onExpiry the treatment of an expired lease when the request has none
 * @param onDrain the treatment of open leases when the server stops
 */
public record LeaseSettings(
    Secret secret,
    @Nullable URI advertised,
    Duration ttl,
    OnExpiry onExpiry,
    OnExpiry onDrain,
    int maxOpen) {
  public static final Duration MIN_TTL = Duration.ofMillis(100);

  /** Longest life of a lease, from the last time that it was extended. */
  public static final Duration MAX_TTL = Duration.ofHours(1);

  /** A key for signatures; its text form hides it. */
  public static final class Secret {
    static final String ALGORITHM = "HmacSHA256";
    private static final int MIN_BYTES = 16;
    private static final int RANDOM_BYTES = 32;

    private final SecretKeySpec key;

    /** The key with these bytes. */
    public Secret(byte[] bytes) {
      if (bytes.length < MIN_BYTES) {
        throw new IllegalArgumentException(
            "lease secret has " + bytes.length + " bytes, must have at least " + MIN_BYTES);
      }
      this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** A key that no other process has. */
    public static Secret random() {
      byte[] bytes = new byte[RANDOM_BYTES];
      new SecureRandom().nextBytes(bytes);
      return new Secret(bytes);
    }

    SecretKeySpec key() {
      return key;
    }

    @Override
    public String toString() {
      return "hidden";
    }
  }

  public LeaseSettings {
    requireTtl("ttl", ttl);
    if (maxOpen < 1) {
      throw new IllegalArgumentException("maxOpen " + maxOpen + " must be at least 1");
    }
  }

  /** The defaults, with a secret of this server alone. */
  public static LeaseSettings defaults() {
    return of(Secret.random(), null, 100_000);
  }

  /** The defaults, with another secret, address and number of leases. */
  public static LeaseSettings of(Secret secret, @Nullable URI advertised, int maxOpen) {
    return new LeaseSettings(
        secret, advertised, Duration.ofSeconds(60), OnExpiry.KEEP, OnExpiry.KEEP, maxOpen);
  }

  static Duration requireTtl(String field, Duration ttl) {
    if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
      throw new IllegalArgumentException(
          "'" + field + "' is " + ttl + ", must be from " + MIN_TTL + " to " + MAX_TTL);
    }
    return ttl;
  }

  /** The treatment of a lease that its holder does not end. */
  public enum OnExpiry {
    /** The charge stands; adjustments that were recorded are written. */
    KEEP,
    /** Everything is given back. */
    REFUND
  }
}
