package dev.millrace.deploy.cost;

/**
 * What there is to do in a month, in each region the same.
 *
 * @param requests in all regions together
 * @param entities that have buckets, in each region
 * @param regions how many share limits; 1 shares none
 * @param limits of each bucket
 * @param ancestors that a request draws on too
 * @param grouping requests that share a write; 1 when they are far apart
 * @param settled share of the requests that settle with an adjust, 0 to 1
 * @param refused share of the requests that are refused, on a state older than a second, 0 to 1
 * @param transactional whether all buckets of a request are in one transaction
 * @param processes that acquire, in each region
 * @param shards of each bucket
 * @param aggregator who counts usage
 * @param batchSeconds how long a batch of the function may take to fill
 * @param sharedPairs entity and resource pairs whose limits regions share
 * @param windowSeconds how often regions exchange
 */
public record Load(
    double requests,
    double entities,
    int regions,
    int limits,
    int ancestors,
    double grouping,
    double settled,
    double refused,
    boolean transactional,
    int processes,
    int shards,
    Counting aggregator,
    int batchSeconds,
    double sharedPairs,
    int windowSeconds) {
  /** Who counts usage. */
  public enum Counting {
    /** A function. */
    LAMBDA,
    /** Workers, whose machines are not in the price. */
    WORKER,
    /** Nobody. */
    NONE
  }

  /** Checks the ranges. */
  public Load {
    require("requests", requests, 1, 1e15);
    require("entities", entities, 1, 1e12);
    require("regions", regions, 1, 32);
    require("limits", limits, 1, 50);
    require("ancestors", ancestors, 0, 8);
    require("grouping", grouping, 1, 1e6);
    require("settled", settled, 0, 1);
    require("refused", refused, 0, 1);
    require("processes", processes, 1, 1e6);
    require("shards", shards, 1, 64);
    require("batch window", batchSeconds, 1, 60);
    require("shared pairs", sharedPairs, 0, 1e9);
    require("window", windowSeconds, 1, 86_400);
  }

  private static void require(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s %s must be from %s to %s".formatted(name, plain(value), plain(least), plain(most)));
    }
  }

  private static String plain(double value) {
    return Double.isNaN(value) || Double.isInfinite(value)
        ? String.valueOf(value)
        : new java.math.BigDecimal(value).stripTrailingZeros().toPlainString();
  }

  /** One region, two limits, nothing shared; usage counted by a function. */
  public static Builder builder(double requests, double entities) {
    return new Builder(requests, entities);
  }

  /** See the components of {@link Load}. */
  public static final class Builder {
    private final double requests;
    private final double entities;
    private int regions = 1;
    private int limits = 2;
    private int ancestors;
    private double grouping = 1;
    private double settled;
    private double refused;
    private boolean transactional;
    private int processes = 1;
    private int shards = 1;
    private Counting aggregator = Counting.LAMBDA;
    private int batchSeconds = 5;
    private double sharedPairs;
    private int windowSeconds = 10;

    private Builder(double requests, double entities) {
      this.requests = requests;
      this.entities = entities;
    }

    /** See {@link Load#regions()}. */
    public Builder regions(int value) {
      regions = value;
      return this;
    }

    /** See {@link Load#limits()}. */
    public Builder limits(int value) {
      limits = value;
      return this;
    }

    /** See {@link Load#ancestors()}. */
    public Builder ancestors(int value) {
      ancestors = value;
      return this;
    }

    /** See {@link Load#grouping()}. */
    public Builder grouping(double value) {
      grouping = value;
      return this;
    }

    /** See {@link Load#settled()}. */
    public Builder settled(double value) {
      settled = value;
      return this;
    }

    /** See {@link Load#refused()}. */
    public Builder refused(double value) {
      refused = value;
      return this;
    }

    /** See {@link Load#transactional()}. */
    public Builder transactional(boolean value) {
      transactional = value;
      return this;
    }

    /** See {@link Load#processes()}. */
    public Builder processes(int value) {
      processes = value;
      return this;
    }

    /** See {@link Load#shards()}. */
    public Builder shards(int value) {
      shards = value;
      return this;
    }

    /** See {@link Load#aggregator()}. */
    public Builder aggregator(Counting value) {
      aggregator = value;
      return this;
    }

    /** See {@link Load#batchSeconds()}. */
    public Builder batchSeconds(int value) {
      batchSeconds = value;
      return this;
    }

    /** See {@link Load#sharedPairs()}. */
    public Builder sharedPairs(double value) {
      sharedPairs = value;
      return this;
    }

    /** See {@link Load#windowSeconds()}. */
    public Builder windowSeconds(int value) {
      windowSeconds = value;
      return this;
    }

    /** The load. */
    public Load build() {
      return new Load(
          requests,
          entities,
          regions,
          limits,
          ancestors,
          grouping,
          settled,
          refused,
          transactional,
          processes,
          shards,
          aggregator,
          batchSeconds,
          sharedPairs,
          windowSeconds);
    }
  }
}
