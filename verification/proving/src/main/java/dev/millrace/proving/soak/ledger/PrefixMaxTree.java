package dev.millrace.proving.soak.ledger;

/**
 * Numbers of which a prefix can be raised, and the greatest of a prefix told, in logarithmic time.
 */
final class PrefixMaxTree {
  private final int leaves;
  private final long[] max;
  private final long[] added;

  PrefixMaxTree(long[] values) {
    int size = 1;
    while (size < values.length) { // ends: doubles
      size *= 2;
    }
    this.leaves = size;
    this.max = new long[2 * size];
    this.added = new long[2 * size];
    java.util.Arrays.fill(max, Long.MIN_VALUE / 2);
    System.arraycopy(values, 0, max, size, values.length);
    for (int node = size - 1; node >= 1; node--) {
      max[node] = Math.max(max[2 * node], max[2 * node + 1]);
    }
  }

  /** Adds to the first {@code count} numbers. */
  void add(int count, long value) {
    add(1, 0, leaves, count, value);
  }

  private void add(int node, int from, int to, int count, long value) {
    if (count <= from) {
      return;
    }
    if (to <= count) {
      max[node] += value;
      added[node] += value;
      return;
    }
    int middle = (from + to) / 2;
    add(2 * node, from, middle, count, value);
    add(2 * node + 1, middle, to, count, value);
    max[node] = added[node] + Math.max(max[2 * node], max[2 * node + 1]);
  }

  /** The greatest of the first {@code count} numbers; there must be one. */
  long max(int count) {
    return max(1, 0, leaves, count);
  }

  private long max(int node, int from, int to, int count) {
    if (to <= count) {
      return max[node];
    }
    int middle = (from + to) / 2;
    long left = max(2 * node, from, middle, Math.min(count, middle));
    return added[node]
        + (count <= middle ? left : Math.max(left, max(2 * node + 1, middle, to, count)));
  }

  /** Where the greatest of the first {@code count} numbers is. */
  int argMax(int count) {
    long sought = max(count);
    for (int i = 0; i < count; i++) {
      if (valueAt(i) == sought) {
        return i;
      }
    }
    throw new IllegalStateException("no number is " + sought);
  }

  private long valueAt(int index) {
    int node = leaves + index;
    long value = max[node];
    for (int up = node / 2; up >= 1; up /= 2) {
      value += added[up];
    }
    return value;
  }
}
