package dev.millrace;

import dev.millrace.core.internal.NameRules;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.PlanSettings;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a limiter behaves. {@code LimiterOptions.defaults()} is right for most; the rest through
 * {@link #builder()}.
 *
 * @param namespace whose buckets, by name; {@code default} is always there, others are registered
 * @param namespaceId the id with which every key begins, null to look it up by the name
 * @param onUnavailable what to answer when the store cannot be reached, unless the request says;
 *     null leaves it to what is stored for the namespace, and without that it is BLOCK
 * @param consistency how a request is written that draws on several buckets, unless it says
 * @param timeout longest time for one decision or settlement, through all its stages; waiting for
 *     tokens comes on top
 * @param plan the refill grain and the clock skew that is believed
 * @param correctClock whether a clock that differs from the store's by more than a second is put
 *     right; only a store without a clock of its own is a reason to say no
 * @param maxMirrors most buckets that the process remembers
 * @param mirrorAge how long one is remembered before it is looked at anew
 * @param configAge how long stored configuration is believed before it is looked up anew
 * @param maxConfigs most records of stored configuration that the process remembers
 * @param maxLegThreads most threads for the further buckets of requests; only used when the store
 *     is a blocking one only
 * @param grouping whether requests of this process for one bucket share a write
 * @param maxQueued most requests that may queue for the next write of one bucket
 * @param prefetch whether busy buckets are charged ahead, so that callers are served from memory
 * @param prefetchFraction how much of a bucket may be charged ahead, by all together: the rest is
 *     left to those who ask
 * @param settlement when adjustments of leases are written, unless the request says
 * @param maxDefer longest time that a deferred adjustment waits for a write
 * @param maxWaiters most callers that may wait for one bucket
 * @param sharding how far hot buckets are divided, and when
 * @param listeners who hears what the limiter does
 * @param time where the time comes from
 * @param threads how threads wait, and where further ones come from
 * @param random where the ids of writes come from; two limiters must not share them, and processes
 *     that are restored from one snapshot must not get the same numbers
 */
public record LimiterOptions(
    String namespace,
    @Nullable String namespaceId,
    @Nullable OnUnavailable onUnavailable,
    Consistency consistency,
    Duration timeout,
    PlanSettings plan,
    boolean correctClock,
    int maxMirrors,
    Duration mirrorAge,
    Duration configAge,
    int maxConfigs,
    int maxLegThreads,
    boolean grouping,
    int maxQueued,
    boolean prefetch,
    double prefetchFraction,
    Settlement settlement,
    Duration maxDefer,
    int maxWaiters,
    Sharding sharding,
    List<LimiterListener> listeners,
    TimeSource time,
    Threads threads,
    RandomGenerator random) {
  /** Checks every range. */
  public LimiterOptions {
    NameRules.requireNamespace(namespace);
    if (namespaceId != null) {
      NameRules.requireNamespace(namespaceId);
    }
    requireBetween("configAge", configAge, Duration.ofMillis(1), Duration.ofHours(1));
    requireBetween("maxConfigs", maxConfigs, 1, 100_000_000);
    requireBetween("maxLegThreads", maxLegThreads, 1, 10_000);
    requireBetween("timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
    requireBetween("mirrorAge", mirrorAge, Duration.ofSeconds(1), Duration.ofDays(1));
    requireBetween("maxMirrors", maxMirrors, 1, 100_000_000);
    requireBetween("maxQueued", maxQueued, 1, 1_000_000);
    requireBetween("maxDefer", maxDefer, Duration.ofMillis(1), Duration.ofMinutes(1));
    if (!(prefetchFraction > 0 && prefetchFraction <= 0.9)) {
      throw new IllegalArgumentException(
          "prefetchFraction " + prefetchFraction + " must be above 0 and at most 0.9");
    }
    requireBetween("maxWaiters", maxWaiters, 1, 1_000_000);
    listeners = List.copyOf(listeners);
  }

  /** The namespace that needs not be registered. */
  public static final String DEFAULT_NAMESPACE = "default";

  /** The id with which every key begins, null when it must be looked up. */
  public @Nullable String knownNamespaceId() {
    return namespaceId == null && namespace.equals(DEFAULT_NAMESPACE)
        ? DEFAULT_NAMESPACE
        : namespaceId;
  }

  /** The defaults. */
  public static LimiterOptions defaults() {
    return builder().build();
  }

  /** A builder that starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  private static void requireBetween(String field, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          field + " " + value + " must be from " + min + " to " + max);
    }
  }

  private static void requireBetween(String field, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          field + " " + value + " must be from " + min + " to " + max);
    }
  }

  /** Collects options; each setter overwrites. */
  public static final class Builder {
    private String namespace = DEFAULT_NAMESPACE;
    private @Nullable String namespaceId;
    private @Nullable OnUnavailable onUnavailable;
    private Consistency consistency = Consistency.PARALLEL;
    private Duration timeout = Duration.ofSeconds(2);
    private PlanSettings plan = PlanSettings.DEFAULT;
    private boolean correctClock = true;
    private int maxMirrors = 100_000;
    private Duration mirrorAge = Duration.ofMinutes(10);
    private Duration configAge = Duration.ofSeconds(60);
    private int maxConfigs = 100_000;
    private int maxLegThreads = 64;
    private boolean grouping = true;
    private int maxQueued = 10_000;
    private boolean prefetch;
    private double prefetchFraction = 0.5;
    private Settlement settlement = Settlement.IMMEDIATE;
    private Duration maxDefer = Duration.ofSeconds(1);
    private int maxWaiters = 10_000;
    private Sharding sharding = Sharding.DEFAULT;
    private final List<LimiterListener> listeners = new ArrayList<>();
    private TimeSource time = TimeSource.system();
    private Threads threads = Threads.system();
    private RandomGenerator random = new SecureRandom();

    private Builder() {}

    /** See {@link LimiterOptions#namespace()}. */
    public Builder namespace(String value) {
      this.namespace = value;
      return this;
    }

    /** The id of the namespace, when it is known: then the name is not looked up. */
    public Builder namespaceId(String value) {
      this.namespaceId = value;
      return this;
    }

    /** See {@link LimiterOptions#consistency()}. */
    public Builder consistency(Consistency value) {
      this.consistency = value;
      return this;
    }

    /** See {@link LimiterOptions#configAge()}. */
    public Builder configAge(Duration value) {
      this.configAge = value;
      return this;
    }

    /** See {@link LimiterOptions#maxConfigs()}. */
    public Builder maxConfigs(int value) {
      this.maxConfigs = value;
      return this;
    }

    /** See {@link LimiterOptions#maxLegThreads()}. */
    public Builder maxLegThreads(int value) {
      this.maxLegThreads = value;
      return this;
    }

    /** See {@link LimiterOptions#onUnavailable()}. */
    public Builder onUnavailable(OnUnavailable value) {
      this.onUnavailable = value;
      return this;
    }

    /** See {@link LimiterOptions#timeout()}. */
    public Builder timeout(Duration value) {
      this.timeout = value;
      return this;
    }

    /** The refill grain Δ: how far a burst may exceed the bound, as time. */
    public Builder refillGrain(Duration value) {
      this.plan = new PlanSettings(value.toMillis(), plan.maxSkewMs(), plan.writeUnits());
      return this;
    }

    /** How far ahead another writer's clock is believed to be. */
    public Builder maxClockSkew(Duration value) {
      this.plan = new PlanSettings(plan.grainMs(), value.toMillis(), plan.writeUnits());
      return this;
    }

    /**
     * Write units a second that the store gives one key: 1,000 for DynamoDB. A bucket that is
     * written harder is divided. All processes of a table must say the same.
     */
    public Builder partitionWriteUnits(int perSecond) {
      this.plan = new PlanSettings(plan.grainMs(), plan.maxSkewMs(), new WriteUnits(perSecond));
      return this;
    }

    /** See {@link LimiterOptions#sharding()}. */
    public Builder sharding(Sharding value) {
      this.sharding = value;
      return this;
    }

    /** See {@link LimiterOptions#correctClock()}. */
    public Builder correctClock(boolean value) {
      this.correctClock = value;
      return this;
    }

    /** See {@link LimiterOptions#maxMirrors()}. */
    public Builder maxMirrors(int value) {
      this.maxMirrors = value;
      return this;
    }

    /** See {@link LimiterOptions#mirrorAge()}. */
    public Builder mirrorAge(Duration value) {
      this.mirrorAge = value;
      return this;
    }

    /** See {@link LimiterOptions#grouping()}; off only to measure what it saves. */
    public Builder grouping(boolean value) {
      this.grouping = value;
      return this;
    }

    /** See {@link LimiterOptions#maxQueued()}. */
    public Builder maxQueued(int value) {
      this.maxQueued = value;
      return this;
    }

    /** See {@link LimiterOptions#prefetch()}. */
    public Builder prefetch(boolean value) {
      this.prefetch = value;
      return this;
    }

    /**
     * Charges busy buckets ahead, for requests of the next {@code horizon}. It is a fifth of the
     * refill grain, so a longer one widens the bound on bursts: the grain becomes five times that.
     */
    public Builder prefetch(Duration horizon) {
      this.prefetch = true;
      return refillGrain(horizon.multipliedBy(5));
    }

    /** See {@link LimiterOptions#prefetchFraction()}. */
    public Builder prefetchFraction(double value) {
      this.prefetchFraction = value;
      return this;
    }

    /** See {@link LimiterOptions#settlement()}. */
    public Builder settlement(Settlement value) {
      this.settlement = value;
      return this;
    }

    /** See {@link LimiterOptions#maxDefer()}. */
    public Builder maxDefer(Duration value) {
      this.maxDefer = value;
      return this;
    }

    /** See {@link LimiterOptions#maxWaiters()}. */
    public Builder maxWaiters(int value) {
      this.maxWaiters = value;
      return this;
    }

    /** Adds somebody who hears what the limiter does. */
    public Builder listener(LimiterListener value) {
      this.listeners.add(value);
      return this;
    }

    /** See {@link LimiterOptions#threads()}; a simulation brings its own. */
    public Builder threads(Threads value) {
      this.threads = value;
      return this;
    }

    /** See {@link LimiterOptions#random()}; a simulation brings its own. */
    public Builder random(RandomGenerator value) {
      this.random = value;
      return this;
    }

    /** See {@link LimiterOptions#time()}. */
    public Builder time(TimeSource value) {
      this.time = value;
      return this;
    }

    /** The options. */
    public LimiterOptions build() {
      return new LimiterOptions(
          namespace,
          namespaceId,
          onUnavailable,
          consistency,
          timeout,
          plan,
          correctClock,
          maxMirrors,
          mirrorAge,
          configAge,
          maxConfigs,
          maxLegThreads,
          grouping,
          maxQueued,
          prefetch,
          prefetchFraction,
          settlement,
          maxDefer,
          maxWaiters,
          sharding,
          listeners,
          time,
          threads,
          random);
    }
  }
}
