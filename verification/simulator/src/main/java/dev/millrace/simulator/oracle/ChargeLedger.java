package dev.millrace.simulator.oracle;

import dev.millrace.BucketKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The answers to callers, as the least and the most that may have been charged for each limit of
 * each bucket. What is under way or unknown lies between the two; what is told brings them together
 * again. At every moment the table must lie between them: below, somebody was admitted who was not
 * charged; above, somebody was charged who was told otherwise.
 */
public final class ChargeLedger {
  private static final class Book {
    long leastMilli;
    long mostMilli;
    boolean isOpenAbove;
  }

  private final TableOracle table;
  private final Map<BucketKey, Map<String, Book>> books = new HashMap<>();

  /** Books that are compared with {@code table}. */
  public ChargeLedger(TableOracle table) {
    this.table = table;
  }

  /** Changes the least and the most that may have been charged. */
  public void add(BucketKey key, String limit, long leastMilli, long mostMilli) {
    Book book = book(key, limit);
    book.leastMilli += leastMilli;
    book.mostMilli += mostMilli;
  }

  /** Says that nobody can tell how much is charged, because tokens are held ahead of their use. */
  public void openAbove(BucketKey key, String limit, boolean open) {
    book(key, limit).isOpenAbove = open;
  }

  /** Says that in these buckets nobody holds tokens ahead any more. */
  public void closeAbove(Predicate<BucketKey> certain) {
    books.forEach(
        (key, limits) -> {
          if (certain.test(key)) {
            limits.values().forEach(book -> book.isOpenAbove = false);
          }
        });
  }

  /** Compares every limit of a bucket with the table. */
  public void check(BucketKey key) {
    Map<String, Book> limits = books.get(key);
    if (limits == null) {
      return;
    }
    for (Map.Entry<String, Book> entry : limits.entrySet()) {
      Book book = entry.getValue();
      long chargedMilli = table.chargedMilli(key, entry.getKey());
      if (chargedMilli < book.leastMilli || (chargedMilli > book.mostMilli && !book.isOpenAbove)) {
        throw new Violation(
            Promise.NOTHING_LOST,
            key
                + " "
                + entry.getKey()
                + ": "
                + chargedMilli
                + " millitokens are charged, callers were told from "
                + book.leastMilli
                + " to "
                + (book.isOpenAbove ? "any" : book.mostMilli));
      }
    }
  }

  /** Compares all buckets with the table. */
  public void checkAll() {
    books.keySet().forEach(this::check);
  }

  private Book book(BucketKey key, String limit) {
    return books
        .computeIfAbsent(key, absent -> new HashMap<>())
        .computeIfAbsent(limit, absent -> new Book());
  }
}
