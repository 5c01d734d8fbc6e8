package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.directory.Listing;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * An opaque page cursor: the listing, so that no other listing accepts it, and the last position of
 * the page. Whatever characters are in them, their lengths tell where each ends.
 */
public final class PageCursor {
  private static final char SEPARATOR = ':';

  private PageCursor() {}

  public static String format(Listing listing, TablePosition last) {
    String text = prefix(listing) + sized(last.partition()) + sized(last.sort());
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The last place, which is in {@code range}. */
  public static TablePosition parse(String cursor, Listing listing, ListRange range) {
    String text;
    try {
      text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("cursor '" + cursor + "' is none", e);
    }
    String prefix = prefix(listing);
    if (!text.startsWith(prefix)) {
      throw new IllegalArgumentException("cursor '" + cursor + "' is not one of " + listing);
    }
    String partition = first(cursor, text.substring(prefix.length()));
    String rest = text.substring(prefix.length() + sized(partition).length());
    TablePosition last = new TablePosition(partition, first(cursor, rest));
    if (last.compareTo(range.from()) < 0
        || last.compareTo(range.to()) > 0
        || !cursor.equals(format(listing, last))) {
      throw new IllegalArgumentException("cursor '" + cursor + "' is not in " + listing);
    }
    return last;
  }

  private static String prefix(Listing listing) {
    return sized(listing.toString());
  }

  private static String sized(String text) {
    return text.length() + String.valueOf(SEPARATOR) + text;
  }

  /** The text that {@code rest} begins with. */
  private static String first(String cursor, String rest) {
    int colon = rest.indexOf(SEPARATOR);
    try {
      int length = Integer.parseInt(rest.substring(0, Math.max(0, colon)));
      return rest.substring(colon + 1, Math.addExact(colon + 1, length));
    } catch (NumberFormatException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new IllegalArgumentException("cursor '" + cursor + "' is none", e);
    }
  }
}
