package dev.millrace.deploy.cost;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalDouble;

/** The numbers that describe the traffic of a month; regions are alike. */
public enum LoadNumber {
  REQUESTS(Double.NaN, 1, 1e15, "Requests a month, in all regions."),
  ENTITIES(Double.NaN, 1, 1e12, "Entities, in each region."),
  REGIONS(1, 1, 32, "Regions that share limits."),
  LIMITS(2, 1, 50, "Limits of a bucket."),
  CASCADE(0, 0, 8, "Ancestors that a request draws on too."),
  GROUPING(
      1.0,
      1,
      1e6,
      "Requests that share a write; 'admitted' by 'storeWrites' of the metrics tells."),
  SHARDS(1, 1, 64, "Shards of a bucket."),
  SETTLED(0.0, 0, 1, "Share of requests that settle with an adjust."),
  REFUSED(0.0, 0, 1, "Share of requests that are refused and read."),
  PROCESSES(1, 1, 1e6, "Processes that acquire, in each region."),
  BATCH_WINDOW(
      5, 1, 60, "Seconds that a batch of the function may take to fill: larger ones write less."),
  SHARED_PAIRS(
      Double.NaN,
      0,
      1e9,
      "Pairs of entity and resource that regions share (default: all entities)."),
  WINDOW(10, 1, 86_400, "Seconds between two exchanges of regions.");

  private final boolean whole;
  private final double defaultValue;
  private final double least;
  private final double most;
  private final String description;

  LoadNumber(int defaultValue, int least, double most, String description) {
    this(/* whole= */ true, defaultValue, least, most, description);
  }

  LoadNumber(double defaultValue, int least, double most, String description) {
    this(/* whole= */ false, defaultValue, least, most, description);
  }

  LoadNumber(boolean whole, double defaultValue, double least, double most, String description) {
    this.whole = whole;
    this.defaultValue = defaultValue;
    this.least = least;
    this.most = most;
    this.description = description;
  }

  /** Whether only whole numbers make sense. */
  public boolean isWhole() {
    return whole;
  }

  /** The default; empty when it must be given or depends on other numbers. */
  public OptionalDouble defaultValue() {
    return Double.isNaN(defaultValue) ? OptionalDouble.empty() : OptionalDouble.of(defaultValue);
  }

  /** A sentence. */
  public String description() {
    return description;
  }

  void check(double value) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s %s must be from %s to %s"
              .formatted(
                  name().toLowerCase(Locale.ROOT).replace('_', ' '),
                  plain(value),
                  plain(least),
                  plain(most)));
    }
  }

  private static String plain(double value) {
    return Double.isNaN(value) || Double.isInfinite(value)
        ? String.valueOf(value)
        : new BigDecimal(value).stripTrailingZeros().toPlainString();
  }
}
