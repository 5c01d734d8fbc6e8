package dev.millrace.server.lease;

import java.security.SecureRandom;
import javax.crypto.spec.SecretKeySpec;

/** What ids of leases are signed with, the same for all servers that know each other. */
public final class LeaseSecret {
  /** Shortest secret. */
  public static final int MIN_BYTES = 16;

  /** How ids are signed. */
  static final String ALGORITHM = "HmacSHA256";

  private static final int RANDOM_BYTES = 32;

  private final SecretKeySpec key;

  private LeaseSecret(byte[] bytes) {
    if (bytes.length < MIN_BYTES) {
      throw new IllegalArgumentException(
          "lease secret has " + bytes.length + " bytes, must have at least " + MIN_BYTES);
    }
    this.key = new SecretKeySpec(bytes, ALGORITHM);
  }

  /** The secret that is these bytes. */
  public static LeaseSecret of(byte[] bytes) {
    return new LeaseSecret(bytes);
  }

  /** One that nobody else knows. */
  public static LeaseSecret random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new LeaseSecret(bytes);
  }

  SecretKeySpec key() {
    return key;
  }

  @Override
  public String toString() {
    return "hidden";
  }
}
