package dev.millrace.cli.command;

import dev.millrace.admin.Page;
import dev.millrace.cli.table.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that bound a list; a mixin. */
final class PageOptions {
  /** Most elements that one command lists; {@code --after} continues the list. */
  private static final int MAX_LISTED = 100_000;

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many at most, about (default: ${DEFAULT-VALUE}).")
  private int max;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "Go on where the last list ended, as it said.")
  private @Nullable String after;

  /** Reads one page of a list. */
  interface Pages<T> {
    Page<T> page(int pageSize, @Nullable String cursor);
  }

  /** Prints a list, page after page until there are enough. */
  <T> int print(
      Session session,
      Pages<T> pages,
      Function<T, ? extends Map<String, ?>> json,
      Function<List<T>, List<String>> text,
      String empty) {
    if (max < 1 || max > MAX_LISTED) {
      throw new IllegalArgumentException("--max " + max + " must be from 1 to " + MAX_LISTED);
    }
    List<T> found = new ArrayList<>();
    String cursor = after;
    do { // ends: every page moves the cursor
      Page<T> page = pages.page(Math.min(Page.MAX_SIZE, max - found.size()), cursor);
      found.addAll(page.items());
      cursor = page.cursor();
    } while (cursor != null && found.size() < max);
    List<? extends Map<String, ?>> objects = found.stream().map(json).toList();
    return session.output().list(objects, () -> text.apply(found), empty, cursor);
  }
}
