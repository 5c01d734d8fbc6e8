package dev.millrace.client.internal;

import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Gives every write an id that no other write has: who writes (random, 72 bits a limiter) and a
 * running number. Short, because it is stored in every bucket.
 */
final class OpIds implements Supplier<String> {
  private static final int WRITER_BYTES = 9;

  private final String writer;
  private final AtomicLong next = new AtomicLong();

  OpIds(RandomGenerator random) {
    byte[] id = new byte[WRITER_BYTES];
    random.nextBytes(id);
    this.writer = Base64.getUrlEncoder().withoutPadding().encodeToString(id) + ".";
  }

  @Override
  public String get() {
    return writer + Long.toString(next.getAndIncrement(), Character.MAX_RADIX);
  }
}
