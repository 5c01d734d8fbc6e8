package dev.millrace.admin;

import java.util.Map;

/**
 * The items stored under ids that no namespace has.
 *
 * @param items the number of items, by id; at most {@link #MAX_IDS} ids
 * @param itemsOfOthers the number of items with further ids
 * @param examined the number of items examined: the whole table
 */
public record OrphanReport(Map<String, Long> items, long itemsOfOthers, long examined) {
  /** Most ids that are counted separately. */
  public static final int MAX_IDS = 1_000;

  public OrphanReport {
    items = Map.copyOf(items);
  }
}
