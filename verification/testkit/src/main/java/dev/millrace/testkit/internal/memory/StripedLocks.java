package dev.millrace.testkit.internal.memory;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Locks for more keys than there are locks: equal keys share one, other keys share one by chance.
 * Whoever needs several takes them in one order, so that nobody waits in a circle.
 */
public final class StripedLocks {
  /** One bit of a {@code long} each. */
  private static final int COUNT = Long.SIZE;

  private final List<ReentrantLock> locks;

  public StripedLocks() {
    ReentrantLock[] all = new ReentrantLock[COUNT];
    Arrays.setAll(all, i -> new ReentrantLock());
    this.locks = List.of(all);
  }

  /** Runs {@code body} while nobody else runs with {@code key}. */
  public <T> T with(Object key, Supplier<T> body) {
    ReentrantLock lock = locks.get(index(key));
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /** Runs {@code body} while nobody else runs with any of {@code keys}. */
  public <T> T withAll(Collection<?> keys, Supplier<T> body) {
    long wanted = 0;
    for (Object key : keys) {
      wanted |= 1L << index(key);
    }
    long held = 0;
    try {
      for (long left = wanted; left != 0; left &= left - 1) {
        locks.get(Long.numberOfTrailingZeros(left)).lock();
        held |= Long.lowestOneBit(left);
      }
      return body.get();
    } finally {
      for (; held != 0; held &= held - 1) {
        locks.get(Long.numberOfTrailingZeros(held)).unlock();
      }
    }
  }

  private static int index(Object key) {
    int hash = key.hashCode() * 0x9E3779B9; // spreads hashes that differ in few bits
    return hash >>> (Integer.SIZE - 6);
  }
}
