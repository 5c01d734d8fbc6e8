package dev.millrace.admin;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
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

  public Page {
    items = List.copyOf(items);
  }

  /**
   * Passes on the items of all pages of a listing.
   *
   * @param after the page that begins at a cursor, the first for null
   */
  public static <T> void forEach(Function<@Nullable String, Page<T>> after, Consumer<T> each) {
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<T> page = after.apply(cursor);
      page.items().forEach(each);
      cursor = page.cursor();
    } while (cursor != null);
  }
}
