package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import java.security.SecureRandom;

/**
 * Ids of writes that bring counters along, which whoever counts usage must tell from others. Drawn
 * from the kernel: the generators of threads are a part of a snapshot, and processes that are
 * restored from it would draw the same.
 */
public final class CarryIds {
  private static final SecureRandom RANDOM = new SecureRandom();

  private CarryIds() {}

  /** One that no other write has. */
  public static String next() {
    return BucketAttributes.CARRIED + Long.toHexString(RANDOM.nextLong());
  }
}
