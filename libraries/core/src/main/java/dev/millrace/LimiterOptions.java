package dev.millrace;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a limiter. {@code LimiterOptions.defaults()} is right for most; others through
 * {@link #builder()}.
 */
public final class LimiterOptions {
  /** The namespace that needs not be registered. */
  public static final String DEFAULT_NAMESPACE = "default";

  private final Values values;

  private LimiterOptions(Values values) {
    this.values = values;
  }

  /** The defaults. */
  public static LimiterOptions defaults() {
    return builder().build();
  }

  /** A builder that starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The id with which every key begins, null when it must be looked up. */
  public @Nullable String knownNamespaceId() {
    return values.namespaceId == null && values.namespace.equals(DEFAULT_NAMESPACE)
        ? DEFAULT_NAMESPACE
        : values.namespaceId;
  }

  /**
   * The namespace of the buckets, by name. {@code default} always exists; others are registered.
   */
  public String namespace() {
    return values.namespace;
  }

  /** The id with which every key begins, null to look it up by the name of the namespace. */
  public @Nullable String namespaceId() {
    return values.namespaceId;
  }

  /**
   * The answer when the store cannot be reached, unless the request says. Null leaves it to what is
   * stored for the namespace; without that it is BLOCK.
   */
  public @Nullable OnUnavailable onUnavailable() {
    return values.onUnavailable;
  }

  /** How a request is written that draws on several buckets, unless it says. */
  public Consistency consistency() {
    return values.consistency;
  }

  /**
   * The longest time for one decision or settlement, through all its stages; waiting for tokens
   * comes on top.
   */
  public Duration timeout() {
    return values.timeout;
  }

  /** The refill grain Δ: how far a burst may exceed the bound, as time. */
  public Duration refillGrain() {
    return values.refillGrain;
  }

  /** How far ahead another writer's clock is believed to be. */
  public Duration maxClockSkew() {
    return values.maxClockSkew;
  }

  /**
   * The write units a second that the store gives one key: 1,000 for DynamoDB. A bucket that is
   * written harder is divided. All processes of a table must say the same.
   */
  public int partitionWriteUnits() {
    return values.partitionWriteUnits;
  }

  /**
   * Whether a clock that differs from the store's by more than a second is corrected; only a store
   * without a clock of its own is a reason to say no.
   */
  public boolean correctClock() {
    return values.correctClock;
  }

  /** Most buckets that the process remembers. */
  public int maxMirrors() {
    return values.maxMirrors;
  }

  /** How long a bucket is remembered before it is read again. */
  public Duration mirrorAge() {
    return values.mirrorAge;
  }

  /** How long stored configuration is believed before it is looked up again. */
  public Duration configAge() {
    return values.configAge;
  }

  /** Most records of stored configuration that the process remembers. */
  public int maxConfigs() {
    return values.maxConfigs;
  }

  /** Most threads for the further buckets of requests; only used when the store only blocks. */
  public int maxLegThreads() {
    return values.maxLegThreads;
  }

  /**
   * Whether requests of this process for one bucket share a write; off only to measure what it
   * saves.
   */
  public boolean grouping() {
    return values.grouping;
  }

  /** Most requests that may queue for the next write of one bucket. */
  public int maxQueued() {
    return values.maxQueued;
  }

  /** Whether busy buckets are charged ahead, so that callers are served from memory. */
  public boolean prefetch() {
    return values.prefetch;
  }

  /**
   * How much of a bucket may be charged ahead, by all together: the remainder is left to other
   * processes.
   */
  public double prefetchFraction() {
    return values.prefetchFraction;
  }

  /** When adjustments of leases are written, unless the request says. */
  public Settlement settlement() {
    return values.settlement;
  }

  /** The longest time that a deferred adjustment waits for a write. */
  public Duration maxDefer() {
    return values.maxDefer;
  }

  /** Most callers that may wait for one bucket. */
  public int maxWaiters() {
    return values.maxWaiters;
  }

  /** How far hot buckets are divided, and when. */
  public Sharding sharding() {
    return values.sharding;
  }

  /** The listeners, in the order in which they were added. */
  public List<LimiterListener> listeners() {
    return values.listeners;
  }

  /** Where the time comes from. */
  public TimeSource time() {
    return values.time;
  }

  /** How threads wait, and where further ones come from. */
  public Threads threads() {
    return values.threads;
  }

  /**
   * Where the ids of writes come from. Two limiters must not share them, and processes that are
   * restored from one snapshot must not get the same numbers.
   */
  public RandomGenerator random() {
    return values.random;
  }

  /** What a builder has collected, and what built options never change again. */
  private static final class Values implements Cloneable {
    String namespace = DEFAULT_NAMESPACE;
    @Nullable String namespaceId;
    @Nullable OnUnavailable onUnavailable;
    Consistency consistency = Consistency.PARALLEL;
    Duration timeout = Duration.ofSeconds(2);
    Duration refillGrain = Duration.ofMillis(100);
    Duration maxClockSkew = Duration.ofSeconds(10);
    int partitionWriteUnits = 1_000;
    boolean correctClock = true;
    int maxMirrors = 100_000;
    Duration mirrorAge = Duration.ofMinutes(10);
    Duration configAge = Duration.ofSeconds(60);
    int maxConfigs = 100_000;
    int maxLegThreads = 64;
    boolean grouping = true;
    int maxQueued = 10_000;
    boolean prefetch;
    double prefetchFraction = 0.5;
    Settlement settlement = Settlement.IMMEDIATE;
    Duration maxDefer = Duration.ofSeconds(1);
    int maxWaiters = 10_000;
    Sharding sharding = Sharding.DEFAULT;
    List<LimiterListener> listeners = List.of();
    TimeSource time = TimeSource.system();
    Threads threads = Threads.system();
    RandomGenerator random = new SecureRandom();

    void check() {
      NameRules.requireNamespace(namespace);
      if (namespaceId != null) {
        NameRules.requireNamespace(namespaceId);
      }
      requireBetween("timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
      requireBetween("refillGrain", refillGrain, Duration.ofMillis(1), Duration.ofSeconds(10));
      requireBetween("maxClockSkew", maxClockSkew, Duration.ofMillis(1), Duration.ofHours(1));
      requireBetween("partitionWriteUnits", partitionWriteUnits, 1, 1_000_000);
      requireBetween("maxMirrors", maxMirrors, 1, 100_000_000);
      requireBetween("mirrorAge", mirrorAge, Duration.ofSeconds(1), Duration.ofDays(1));
      requireBetween("configAge", configAge, Duration.ofMillis(1), Duration.ofHours(1));
      requireBetween("maxConfigs", maxConfigs, 1, 100_000_000);
      requireBetween("maxLegThreads", maxLegThreads, 1, 10_000);
      requireBetween("maxQueued", maxQueued, 1, 1_000_000);
      if (!(prefetchFraction > 0 && prefetchFraction <= 0.9)) {
        throw new IllegalArgumentException(
            "prefetchFraction " + prefetchFraction + " must be above 0 and at most 0.9");
      }
      requireBetween("maxDefer", maxDefer, Duration.ofMillis(1), Duration.ofMinutes(1));
      requireBetween("maxWaiters", maxWaiters, 1, 1_000_000);
    }

    private static <T extends Comparable<T>> void requireBetween(
        String field, T value, T min, T max) {
      if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
        throw new IllegalArgumentException(
            field + " " + value + " must be from " + min + " to " + max);
      }
    }

    Values copy() {
      try {
        return (Values) clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Collects options: a method sets the option of its name, the last one wins. */
  public static final class Builder {
    private final Values values = new Values();

    private Builder() {}

    public Builder namespace(String value) {
      values.namespace = value;
      return this;
    }

    public Builder namespaceId(String value) {
      values.namespaceId = value;
      return this;
    }

    public Builder onUnavailable(OnUnavailable value) {
      values.onUnavailable = value;
      return this;
    }

    public Builder consistency(Consistency value) {
      values.consistency = value;
      return this;
    }

    public Builder timeout(Duration value) {
      values.timeout = value;
      return this;
    }

    public Builder refillGrain(Duration value) {
      values.refillGrain = value;
      return this;
    }

    public Builder maxClockSkew(Duration value) {
      values.maxClockSkew = value;
      return this;
    }

    public Builder partitionWriteUnits(int value) {
      values.partitionWriteUnits = value;
      return this;
    }

    public Builder correctClock(boolean value) {
      values.correctClock = value;
      return this;
    }

    public Builder maxMirrors(int value) {
      values.maxMirrors = value;
      return this;
    }

    public Builder mirrorAge(Duration value) {
      values.mirrorAge = value;
      return this;
    }

    public Builder configAge(Duration value) {
      values.configAge = value;
      return this;
    }

    public Builder maxConfigs(int value) {
      values.maxConfigs = value;
      return this;
    }

    public Builder maxLegThreads(int value) {
      values.maxLegThreads = value;
      return this;
    }

    public Builder grouping(boolean value) {
      values.grouping = value;
      return this;
    }

    public Builder maxQueued(int value) {
      values.maxQueued = value;
      return this;
    }

    public Builder prefetch(boolean value) {
      values.prefetch = value;
      return this;
    }

    /**
     * Charges busy buckets ahead, for requests of the next {@code horizon}. It is a fifth of the
     * refill grain, so a longer one widens the bound on bursts: the grain becomes five times that.
     */
    public Builder prefetch(Duration horizon) {
      values.prefetch = true;
      return refillGrain(horizon.multipliedBy(5));
    }

    public Builder prefetchFraction(double value) {
      values.prefetchFraction = value;
      return this;
    }

    public Builder settlement(Settlement value) {
      values.settlement = value;
      return this;
    }

    public Builder maxDefer(Duration value) {
      values.maxDefer = value;
      return this;
    }

    public Builder maxWaiters(int value) {
      values.maxWaiters = value;
      return this;
    }

    public Builder sharding(Sharding value) {
      values.sharding = value;
      return this;
    }

    /** Adds a listener. */
    public Builder listener(LimiterListener value) {
      List<LimiterListener> all = new ArrayList<>(values.listeners);
      all.add(value);
      values.listeners = List.copyOf(all);
      return this;
    }

    public Builder time(TimeSource value) {
      values.time = value;
      return this;
    }

    public Builder threads(Threads value) {
      values.threads = value;
      return this;
    }

    public Builder random(RandomGenerator value) {
      values.random = value;
      return this;
    }

    /** The options. */
    public LimiterOptions build() {
      Values built = values.copy();
      built.check();
      return new LimiterOptions(built);
    }
  }
}
