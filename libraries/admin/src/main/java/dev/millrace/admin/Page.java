package dev.millrace.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a listing. It may be empty and yet have a next one: only a page without a cursor is the
 * last.
 *
 * @param cursor an opaque cursor of the next page, null when this is the last
 */
public record Page<T>(List<T> items, @Nullable String cursor) {
  /** Most items of one page. */
  public static final int MAX_SIZE = 100;

  /** Copies the items. */
  public Page {
    items = List.copyOf(items);
  }
}
