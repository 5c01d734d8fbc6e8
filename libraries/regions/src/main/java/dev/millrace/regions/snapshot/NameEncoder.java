package dev.millrace.regions.snapshot;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names already written in full, with their numbers; bounded. */
final class NameEncoder<T> {
  private final Map<T, Integer> numbers = new HashMap<>();

  /** The number of {@code value}, or null when it must be written in full. */
  @Nullable Integer find(T value) {
    Integer number = numbers.get(value);
    if (number == null && numbers.size() < SnapshotFormat.MAX_NUMBERED) {
      numbers.put(value, numbers.size());
    }
    return number;
  }
}
