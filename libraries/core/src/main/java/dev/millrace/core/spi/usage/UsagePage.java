package dev.millrace.core.spi.usage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of usage. It may be empty and yet have a next one.
 *
 * @param cursor what to ask the next page with, null when this is the last
 */
public record UsagePage(List<UsageItem> items, @Nullable String cursor) {
  /** Most items of one page. */
  public static final int MAX_SIZE = 100;

  /** Keeps the items as they are now. */
  public UsagePage {
    items = List.copyOf(items);
  }
}
