package dev.millrace.benchmarks.aggregate;

import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageListing;
import dev.millrace.core.spi.usage.UsagePage;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes every write at once and remembers only how many there were. For one thread. */
final class CountingUsage implements UsageStore {
  private static final UsageReply APPLIED = new UsageReply.Applied();

  private long writes;

  long writes() {
    return writes;
  }

  @Override
  public UsageReply apply(UsageWrite write) {
    writes++;
    return APPLIED;
  }

  @Override
  public List<UsageItem> find(List<UsageKey> keys) {
    return List.of();
  }

  @Override
  public UsagePage list(UsageListing listing, int limit, @Nullable String cursor) {
    return new UsagePage(List.of(), null);
  }
}
