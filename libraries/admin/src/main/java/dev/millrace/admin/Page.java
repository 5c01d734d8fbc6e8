package dev.millrace.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list. It may be empty and yet have a next one: only a page without a cursor is the
 * last.
 *
 * @param cursor what to ask the next page with, null when this is the last
 */
public record Page<T>(List<T> items, @Nullable String cursor) {
  /** Most things of one page. */
  public static final int MAX_SIZE = 100;

  /** Keeps the items as they are now. */
  public Page {
    items = List.copyOf(items);
  }
}
