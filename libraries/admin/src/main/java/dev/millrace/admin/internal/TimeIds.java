package dev.millrace.admin.internal;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Ids that sort by time: thirteen digits of milliseconds, then random characters. The ids of one
 * process never run backwards, not even within a millisecond or when its clock is set back.
 */
public final class TimeIds {
  private static final int STEPS_PER_MS = 1 << 12;
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int OPAQUE_LENGTH = 16;

  private final LongSupplier clockMs;
  private final RandomGenerator random;
  private final AtomicLong last = new AtomicLong();

  TimeIds(LongSupplier clockMs, RandomGenerator random) {
    this.clockMs = clockMs;
    this.random = random;
  }

  String next() {
    long now = clockMs.getAsLong() * STEPS_PER_MS;
    long step = last.updateAndGet(before -> Math.max(before + 1, now));
    return String.format(
        Locale.ROOT,
        "%013d-%03x%012x",
        step / STEPS_PER_MS,
        step % STEPS_PER_MS,
        random() & 0xffff_ffff_ffffL);
  }

  /** A lower bound: ids of an earlier time sort before it, ids of this time or later after it. */
  public static String first(long ms) {
    return String.format(Locale.ROOT, "%013d", Math.max(0, ms));
  }

  /** An upper bound: ids of this time or earlier sort before it. */
  public static String last(long ms) {
    return first(ms) + "~";
  }

  /** A random id that is unique and carries no information: sixteen letters and digits, 80 bits. */
  String opaque() {
    StringBuilder id = new StringBuilder(OPAQUE_LENGTH);
    for (int i = 0; i < OPAQUE_LENGTH; i++) {
      id.append(LETTERS.charAt((int) nextLong(LETTERS.length())));
    }
    return id.toString();
  }

  /** A random number from 0 to below {@code bound}. */
  synchronized long nextLong(long bound) {
    return random.nextLong(bound);
  }

  private synchronized long random() {
    return random.nextLong();
  }
}
