package dev.millrace.core.spi.usage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store of usage. A refused guard and a store that is away are replies to a write; whoever
 * reads gets a {@link dev.millrace.LimiterUnavailableException} instead. Safe for use by many
 * threads.
 */
public interface UsageStore {
  /** Adds to one item, if the guard holds. */
  UsageReply apply(UsageWrite write);

  /**
   * The items of {@code keys} that are there, in any order.
   *
   * @param keys at most {@link UsagePage#MAX_SIZE}, each once
   */
  List<UsageItem> find(List<UsageKey> keys);

  /**
   * A page of a listing. Items that have expired may still be in it.
   *
   * @param limit from 1 to {@link UsagePage#MAX_SIZE}
   * @param cursor that of the page before, null for the first page
   */
  UsagePage list(UsageListing listing, int limit, @Nullable String cursor);
}
