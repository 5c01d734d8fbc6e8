package dev.millrace.server.lease;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How leases are held.
 *
 * @param secret what ids are signed with, the same for all servers that know each other
 * @param advertised where other servers reach this one, null when they do not
 * @param ttl how long a lease lives when the request does not say
 * @param onExpiry what becomes of it then, when the request does not say
 * @param onDrain what becomes of those that are open when the server stops
 * @param maxOpen most open leases
 * @param maxEnded most ended leases that are remembered
 * @param remembered how long
 */
public record LeaseSettings(
    LeaseSecret secret,
    @Nullable URI advertised,
    Duration ttl,
    OnExpiry onExpiry,
    OnExpiry onDrain,
    int maxOpen,
    int maxEnded,
    Duration remembered) {
  /** Shortest life of a lease. */
  public static final Duration MIN_TTL = Duration.ofMillis(100);

  /** Longest life of a lease, from the last time that it was extended. */
  public static final Duration MAX_TTL = Duration.ofHours(1);

  /** Checks every range. */
  public LeaseSettings {
    requireTtl("ttl", ttl);
    if (maxOpen < 1 || maxEnded < 1) {
      throw new IllegalArgumentException(
          "maxOpen " + maxOpen + " and maxEnded " + maxEnded + " must be at least 1");
    }
  }

  /** The defaults, with a secret that only this server knows. */
  public static LeaseSettings defaults() {
    return of(LeaseSecret.random(), null);
  }

  /** The defaults, with a secret and perhaps an address that others know. */
  public static LeaseSettings of(LeaseSecret secret, @Nullable URI advertised) {
    return new LeaseSettings(
        secret,
        advertised,
        Duration.ofSeconds(60),
        OnExpiry.KEEP,
        OnExpiry.KEEP,
        100_000,
        100_000,
        Duration.ofMinutes(10));
  }

  /** The same with other ends. */
  public LeaseSettings ends(Duration newTtl, OnExpiry expiry, OnExpiry drain) {
    return new LeaseSettings(
        secret, advertised, newTtl, expiry, drain, maxOpen, maxEnded, remembered);
  }

  /** The same with room for {@code most} open leases. */
  public LeaseSettings open(int most) {
    return new LeaseSettings(
        secret, advertised, ttl, onExpiry, onDrain, most, maxEnded, remembered);
  }

  static Duration requireTtl(String field, Duration ttl) {
    if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_TTL) > 0) {
      throw new IllegalArgumentException(
          "'" + field + "' is " + ttl + ", must be from " + MIN_TTL + " to " + MAX_TTL);
    }
    return ttl;
  }
}
