package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageSource;
import dev.millrace.core.spi.usage.UsageWrite;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One item of usage in memory. Its totals go on beyond 64 bits, as those of DynamoDB do. */
public final class MemoryUsage {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private final Map<String, BigInteger> totals = new HashMap<>();
  private final Map<UsageSource, SequenceNumber> seen = new HashMap<>();
  private final Set<UsageWrite.Late> late = new HashSet<>();
  private long events;
  private long expiresAtSeconds;

  public MemoryUsage(long expiresAtSeconds) {
    this.expiresAtSeconds = expiresAtSeconds;
  }

  public synchronized UsageReply apply(UsageWrite write) {
    if (!holds(write.guard())) {
      return new UsageReply.Refused(read(write.key()));
    }
    if (write.guard() instanceof UsageWrite.InOrder inOrder) {
      inOrder
          .runs()
          .forEach(
              (shard, run) -> {
                seen.remove(new UsageSource(UsageSource.UNNAMED, shard));
                seen.put(new UsageSource(inOrder.stream(), shard), run.last());
              });
    } else {
      late.add((UsageWrite.Late) write.guard());
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
                SequenceNumber last = lastOf(new UsageSource(inOrder.stream(), run.getKey()));
                return last == null || run.getValue().first().isAfter(last);
              });
    }
    UsageWrite.Late one = (UsageWrite.Late) guard;
    return !late.contains(one) && !late.contains(new UsageWrite.Late(one.number()));
  }

  private @Nullable SequenceNumber lastOf(UsageSource source) {
    SequenceNumber named = seen.get(source);
    return named == null ? seen.get(new UsageSource(UsageSource.UNNAMED, source.shard())) : named;
  }

  public synchronized UsageItem read(UsageKey key) {
    Map<String, Long> milli = new HashMap<>();
    totals.forEach((limit, total) -> milli.put(limit, total.max(MIN).min(MAX).longValue()));
    return new UsageItem(key, milli, events, seen, late, expiresAtSeconds);
  }
}
