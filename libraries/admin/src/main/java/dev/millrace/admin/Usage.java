package dev.millrace.admin;

import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The consumption of a resource by an entity in one window.
 *
 * @param start the beginning of the window
 * @param totalMilli millitokens by limit, less refunds
 * @param events the number of bucket writes that it comes from
 */
public record Usage(
    String entityId,
    String resource,
    Window window,
    Instant start,
    Map<String, Long> totalMilli,
    long events) {
  public Usage {
    totalMilli = Map.copyOf(totalMilli);
  }

  static Usage of(UsageItem item) {
    UsageKey key = item.key();
    return new Usage(
        key.entityId(),
        key.resource(),
        key.window(),
        Instant.ofEpochMilli(key.startMs()),
        item.totalMilli(),
        item.events());
  }

  static Usage none(UsageKey key) {
    return new Usage(
        key.entityId(),
        key.resource(),
        key.window(),
        Instant.ofEpochMilli(key.startMs()),
        Map.of(),
        0);
  }

  /** Millitokens of {@code limit}, zero when it was not used. */
  public long milli(String limit) {
    @Nullable Long total = totalMilli.get(limit);
    return total == null ? 0 : total;
  }
}
