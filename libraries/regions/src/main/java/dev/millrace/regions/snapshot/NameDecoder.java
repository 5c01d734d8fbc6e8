package dev.millrace.regions.snapshot;

import java.util.ArrayList;
import java.util.List;

/** The names already read in full, by number; the reader's side of {@link NameEncoder}. */
final class NameDecoder<T> {
  private final List<T> values = new ArrayList<>();

  T define(T value) {
    if (values.size() < SnapshotFormat.MAX_NUMBERED) {
      values.add(value);
    }
    return value;
  }

  T at(long number) throws SnapshotRefusedException {
    if (number < 0 || number >= values.size()) {
      throw new SnapshotRefusedException(
          SnapshotRefusal.MALFORMED,
          "number " + number + " is not defined; " + values.size() + " are");
    }
    return values.get((int) number);
  }
}
