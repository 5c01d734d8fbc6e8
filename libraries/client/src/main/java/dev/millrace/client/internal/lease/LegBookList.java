package dev.millrace.client.internal.lease;

import dev.millrace.BucketKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All books of a lease. A bucket has a second one when it was drawn from several of its shards,
 * when its limits changed while the lease was open, or when a part of it was charged and another
 * not. An adjustment is one of the bucket, whichever shards its parts come from. Guarded by the
 * ledger that they belong to.
 */
public final class LegBookList {
  private final String entityId;

  /** The first is that of the entity itself for the first resource. */
  private final List<LegBook> books;

  /**
   * The books of a lease as it begins.
   *
   * @param entityId who holds it
   */
  public LegBookList(String entityId, List<LegBook> books) {
    this.entityId = entityId;
    this.books = books;
  }

  public LegBook first() {
    return books.get(0);
  }

  public List<LegBook> all() {
    return books;
  }

  public boolean allCharging() {
    for (int i = 0; i < books.size(); i++) {
      if (!books.get(i).isCharging()) {
        return false;
      }
    }
    return true;
  }

  public boolean anyCharging() {
    for (int i = 0; i < books.size(); i++) {
      if (books.get(i).isCharging()) {
        return true;
      }
    }
    return false;
  }

  /** Takes over what was granted later. */
  public void addAll(LegBookList more) {
    for (LegBook further : more.books) {
      add(further);
    }
  }

  private void add(LegBook further) {
    for (LegBook book : books) {
      if (book.isLike(further)) {
        book.take(further);
        return;
      }
    }
    books.add(further);
  }

  /**
   * The entity's own bucket, or that of the nearest ancestor with the limit; null when none has.
   */
  public @Nullable BucketKey nearest(String resource, String limit) {
    BucketKey nearest = null;
    for (LegBook book : books) {
      if (book.key().resource().equals(resource) && book.has(limit)) {
        if (book.key().entityId().equals(entityId)) {
          return book.key();
        }
        nearest = nearest == null ? book.key() : nearest;
      }
    }
    return nearest;
  }

  public long consumedMilli(BucketKey bucket, String limit) {
    long milli = 0;
    for (LegBook book : books) {
      if (book.key().isShardOf(bucket) && book.has(limit)) {
        milli += book.consumedMilli(limit);
      }
    }
    return milli;
  }

  /** The most that the lease would stand for in a bucket of the resource, adjusted by so much. */
  public long mostMilliAfter(String resource, String limit, long deltaMilli) {
    long mostMilli = 0;
    for (LegBook book : books) {
      if (book.key().resource().equals(resource) && book.has(limit)) {
        mostMilli = Math.max(mostMilli, consumedMilli(book.key(), limit) + deltaMilli);
      }
    }
    return mostMilli;
  }

  /**
   * Adjusts every bucket of the resource, each in the book that was opened first. What is given
   * back beyond what that one was charged comes out of the next.
   */
  public void adjustAll(String resource, String limit, long deltaMilli) {
    List<BucketKey> done = new ArrayList<>(books.size());
    for (LegBook book : books) {
      BucketKey bucket = book.key();
      if (bucket.resource().equals(resource)
          && book.has(limit)
          && done.stream().noneMatch(bucket::isShardOf)) {
        done.add(bucket);
        adjust(bucket, limit, deltaMilli);
      }
    }
  }

  private void adjust(BucketKey bucket, String limit, long deltaMilli) {
    long leftMilli = deltaMilli;
    LegBook last = null;
    for (LegBook book : books) {
      if (book.key().isShardOf(bucket) && book.has(limit) && leftMilli != 0) {
        long partMilli =
            leftMilli > 0 ? leftMilli : Math.max(leftMilli, -book.consumedMilli(limit));
        book.adjust(limit, partMilli);
        leftMilli -= partMilli;
        last = book;
      }
    }
    if (last != null && leftMilli != 0) {
      last.adjust(limit, leftMilli); // an ancestor that joined later was charged less
    }
  }
}
