package dev.millrace.proving.soak.ledger;

import java.util.Arrays;

/**
 * The amounts that callers of one account were granted, and those they gave back, each with the
 * earliest and the latest moment at which it may have happened. Three numbers each, because there
 * are many.
 */
final class Admissions {
  private static final int FIELDS = 3;

  private long[] fields = new long[FIELDS * 16];
  private int size;

  /** Admitted, or given back when {@code milli} is negative. */
  void add(long earliestMs, long latestMs, long milli) {
    int at = size * FIELDS;
    if (at == fields.length) {
      fields = Arrays.copyOf(fields, fields.length * 2);
    }
    fields[at] = earliestMs;
    fields[at + 1] = latestMs;
    fields[at + 2] = milli;
    size++;
  }

  int size() {
    return size;
  }

  long earliestMs(int index) {
    return fields[index * FIELDS];
  }

  long latestMs(int index) {
    return fields[index * FIELDS + 1];
  }

  long milli(int index) {
    return fields[index * FIELDS + 2];
  }
}
