package dev.millrace.admin.internal;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Gives every write of a bucket an id that no other write has. Short: it is stored in the bucket.
 */
final class OpIds implements Supplier<String> {
  private final String writer;
  private final AtomicLong next = new AtomicLong();

  OpIds(TimeIds ids) {
    this.writer = ids.opaque() + ".";
  }

  @Override
  public String get() {
    return writer + Long.toString(next.getAndIncrement(), Character.MAX_RADIX);
  }
}
