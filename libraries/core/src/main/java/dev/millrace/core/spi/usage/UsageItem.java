package dev.millrace.core.spi.usage;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The consumption in one window.
 *
 * @param totalMilli millitokens by limit; below zero when more was given back than consumed
 * @param events in how many records something was consumed or given back
 * @param seen the last record that was added, by stream and bucket shard
 * @param late the records that were added after their turn
 * @param expiresAtSeconds until when it is kept, {@link UsageWrite#NEVER} for always
 */
public record UsageItem(
    UsageKey key,
    Map<String, Long> totalMilli,
    long events,
    Map<UsageSource, SequenceNumber> seen,
    Set<UsageWrite.Late> late,
    long expiresAtSeconds) {
  /** Keeps everything as it is now. */
  public UsageItem {
    totalMilli = Map.copyOf(totalMilli);
    seen = Map.copyOf(seen);
    late = Set.copyOf(late);
  }

  /**
   * The last record of {@code source} that was added, null when there is none. A mark without a
   * stream's name counts where there is none with it.
   */
  public @Nullable SequenceNumber lastOf(UsageSource source) {
    @Nullable SequenceNumber named = seen.get(source);
    return named == null ? seen.get(new UsageSource(UsageSource.UNNAMED, source.shard())) : named;
  }

  /** Millitokens of {@code limit}, none when it does not occur. */
  public long milli(String limit) {
    @Nullable Long total = totalMilli.get(limit);
    return total == null ? 0 : total;
  }
}
