package dev.millrace.testkit.internal.history;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The operations that have not taken effect yet: in the order in which they may, and in the order
 * in which they must. Two doubly linked lists in arrays, so that taking one out and putting it back
 * costs nothing; those taken out last are put back first.
 */
final class PendingOperations {
  /** The deadline of an operation that need not take effect. */
  static final long NEVER = Long.MAX_VALUE;

  private final int end;
  private final long[] earliestNanos;
  private final long[] deadlineNanos;
  private final Links byEarliest;
  private final Links byDeadline;

  /** The operations are numbered in the order of {@code earliestNanos}. */
  PendingOperations(long[] earliestNanos, long[] deadlineNanos) {
    this.end = earliestNanos.length;
    this.earliestNanos = earliestNanos;
    this.deadlineNanos = deadlineNanos;
    this.byEarliest = new Links(end, IntStream.range(0, end).toArray());
    this.byDeadline =
        new Links(
            end,
            IntStream.range(0, end)
                .filter(i -> deadlineNanos[i] != NEVER)
                .boxed()
                .sorted(Comparator.comparingLong(i -> deadlineNanos[i]))
                .mapToInt(Integer::intValue)
                .toArray());
  }

  /** What {@link #first} and {@link #next} answer when there are no more. */
  int end() {
    return end;
  }

  int first() {
    return byEarliest.next[end];
  }

  /** The one after {@code index}, also when that was taken out in between. */
  int next(int index) {
    return byEarliest.next[index];
  }

  /** The one that must take effect next, {@link #end} when none must. */
  int mostUrgent() {
    return byDeadline.next[end];
  }

  /**
   * The moment by which the next one must take effect: nothing that begins later may precede it.
   */
  long horizonNanos() {
    int urgent = mostUrgent();
    return urgent == end ? NEVER : deadlineNanos[urgent];
  }

  boolean mayGoNow(int index) {
    return earliestNanos[index] <= horizonNanos();
  }

  boolean isOptional(int index) {
    return deadlineNanos[index] == NEVER;
  }

  long deadlineNanos(int index) {
    return deadlineNanos[index];
  }

  void take(int index) {
    byEarliest.take(index);
    if (!isOptional(index)) {
      byDeadline.take(index);
    }
  }

  void putBack(int index) {
    if (!isOptional(index)) {
      byDeadline.putBack(index);
    }
    byEarliest.putBack(index);
  }

  /** A ring through {@code end}; one that was taken out keeps its own links. */
  private static final class Links {
    private final int[] next;
    private final int[] previous;

    Links(int end, int[] order) {
      next = new int[end + 1];
      previous = new int[end + 1];
      Arrays.fill(next, end);
      Arrays.fill(previous, end);
      int last = end;
      for (int index : order) {
        next[last] = index;
        previous[index] = last;
        last = index;
      }
      next[last] = end;
      previous[end] = last;
    }

    void take(int index) {
      next[previous[index]] = next[index];
      previous[next[index]] = previous[index];
    }

    void putBack(int index) {
      next[previous[index]] = index;
      previous[next[index]] = index;
    }
  }
}
