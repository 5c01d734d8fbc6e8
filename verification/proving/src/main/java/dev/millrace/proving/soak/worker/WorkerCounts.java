package dev.millrace.proving.soak.worker;

import java.util.Arrays;
import java.util.List;

/** The number of acquires by answer. */
public record WorkerCounts(long granted, long degraded, long refused, long unavailable) {
  /** None so far. */
  public static final WorkerCounts NONE = new WorkerCounts(0, 0, 0, 0);

  private static final String WORD = "COUNTS";

  /** Whether {@link #parse} reads this line. */
  public static boolean isCounts(String line) {
    return line.startsWith(WORD + " ");
  }

  /** Reads what {@link #toLine} writes. */
  public static WorkerCounts parse(String line) {
    List<Long> numbers = Arrays.stream(line.split(" ", -1)).skip(1).map(Long::parseLong).toList();
    return new WorkerCounts(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
  }

  /** One line. */
  public String toLine() {
    return "%s %d %d %d %d".formatted(WORD, granted, degraded, refused, unavailable);
  }

  /** Both together. */
  public WorkerCounts plus(WorkerCounts other) {
    return new WorkerCounts(
        granted + other.granted,
        degraded + other.degraded,
        refused + other.refused,
        unavailable + other.unavailable);
  }

  /** All of them. */
  public long acquires() {
    return granted + degraded + refused + unavailable;
  }
}
