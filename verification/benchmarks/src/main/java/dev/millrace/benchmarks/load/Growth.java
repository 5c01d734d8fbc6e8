package dev.millrace.benchmarks.load;

import java.util.List;

/**
 * The number of shards of a bucket in each second of a run.
 *
 * @param seconds of the measured time
 */
public record Growth(List<Second> seconds) {
  /** Once grown: what holds for the last so many seconds, or for half of a shorter run. */
  private static final int GROWN_SECONDS = 10;

  /** Keeps the seconds as they are now. */
  public Growth {
    seconds = List.copyOf(seconds);
  }

  /**
   * One second.
   *
   * @param second which one, from 1
   * @param admitted requests that were admitted in it
   * @param failed requests that could not be decided
   * @param writes of the store, throttled or not
   * @param throttled those of them that the store throttled
   * @param shards how many there were at its end
   */
  public record Second(
      int second, long admitted, long failed, long writes, long throttled, int shards) {}

  /** The last of it. */
  public Growth grown() {
    int from = Math.max(seconds.size() / 2, seconds.size() - GROWN_SECONDS);
    return new Growth(seconds.subList(from, seconds.size()));
  }

  /** Requests admitted in a second, on average. */
  public double admittedPerSecond() {
    return seconds.stream().mapToLong(Second::admitted).average().orElse(0);
  }

  /** Which part of the writes the store throttled. */
  public double throttledShare() {
    long writes = seconds.stream().mapToLong(Second::writes).sum();
    long throttled = seconds.stream().mapToLong(Second::throttled).sum();
    return throttled / (double) Math.max(1, writes);
  }

  /** Most shards there were. */
  public int maxShards() {
    return seconds.stream().mapToInt(Second::shards).max().orElse(1);
  }

  /** The first second in which so many were admitted; one more than there are when in none. */
  public int firstWith(double admitted) {
    return seconds.stream()
        .filter(second -> second.admitted() >= admitted)
        .mapToInt(Second::second)
        .findFirst()
        .orElse(seconds.size() + 1);
  }
}
