package dev.millrace.dynamodb.legacy;

import dev.millrace.dynamodb.schema.BucketAttributes;
import java.util.concurrent.ThreadLocalRandom;

/** Ids of writes that bring counters along, which whoever counts usage must tell from others. */
public final class CarryIds {
  private CarryIds() {}

  /** One that no other write has. */
  public static String next() {
    return BucketAttributes.CARRIED + Long.toHexString(ThreadLocalRandom.current().nextLong());
  }
}
