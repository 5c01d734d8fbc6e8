package dev.millrace.admin;

import java.util.Map;

/**
 * What is stored under ids that no namespace has.
 *
 * @param items how many items, by id; at most {@link #MAX_IDS} ids
 * @param itemsOfOthers how many items there are of further ids
 * @param examined how many items were looked at: all of the table
 */
public record OrphanReport(Map<String, Long> items, long itemsOfOthers, long examined) {
  /** Most ids that are told apart. */
  public static final int MAX_IDS = 1_000;

  /** Keeps the counts as they are now. */
  public OrphanReport {
    items = Map.copyOf(items);
  }
}
