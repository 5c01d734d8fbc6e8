package dev.millrace.testkit.internal.generator;

import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageWrite;
import java.util.Map;

/** Usage for tests that read it. */
public final class UsageGen {
  private UsageGen() {}

  /** A write that adds {@code milli} of one limit, as record {@code number} of shard 0. */
  public static UsageWrite adding(
      UsageKey key, String limit, long milli, long number, long expiresAtSeconds) {
    SequenceNumber only = SequenceNumber.of(Long.toString(number));
    return new UsageWrite(
        key,
        Map.of(limit, milli),
        /* events= */ 1,
        new UsageWrite.InOrder(Map.of(0, new UsageWrite.Run(only, only))),
        expiresAtSeconds);
  }
}
