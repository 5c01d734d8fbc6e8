package dev.millrace.testkit;

import dev.millrace.core.usage.SequenceNumber;
import dev.millrace.core.usage.UsageItem;
import dev.millrace.core.usage.UsageKey;
import dev.millrace.core.usage.UsageReply;
import dev.millrace.core.usage.UsageWrite;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** One item of usage in memory. Its totals go on beyond 64 bits, as those of DynamoDB do. */
final class MemoryUsage {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final Map<String, BigInteger> totals = new HashMap<>();
  private final Map<Integer, SequenceNumber> seen = new HashMap<>();
  private final Set<SequenceNumber> late = new HashSet<>();
  private long events;
  private long expiresAtSeconds;

  MemoryUsage(long expiresAtSeconds) {
    this.expiresAtSeconds = expiresAtSeconds;
  }

  synchronized UsageReply apply(UsageWrite write) {
    if (!holds(write.guard())) {
      return new UsageReply.Refused(read(write.key()));
    }
    if (write.guard() instanceof UsageWrite.InOrder inOrder) {
      inOrder.runs().forEach((shard, run) -> seen.put(shard, run.last()));
    } else {
      late.add(((UsageWrite.Late) write.guard()).number());
    }
    write
        .addMilli()
        .forEach((limit, milli) -> totals.merge(limit, BigInteger.valueOf(milli), BigInteger::add));
    events += write.events();
    if (write.expiresAtSeconds() != UsageWrite.NEVER) {
      expiresAtSeconds = write.expiresAtSeconds();
    }
    return new UsageReply.Applied();
  }

  private boolean holds(UsageWrite.Guard guard) {
    if (guard instanceof UsageWrite.InOrder inOrder) {
      return inOrder.runs().entrySet().stream()
          .allMatch(
              run -> {
                SequenceNumber last = seen.get(run.getKey());
                return last == null || run.getValue().first().isAfter(last);
              });
    }
    return !late.contains(((UsageWrite.Late) guard).number());
  }

  synchronized UsageItem read(UsageKey key) {
    Map<String, Long> milli = new HashMap<>();
    totals.forEach((limit, total) -> milli.put(limit, total.max(MIN).min(MAX).longValue()));
    return new UsageItem(key, milli, events, seen, late, expiresAtSeconds);
  }
}
