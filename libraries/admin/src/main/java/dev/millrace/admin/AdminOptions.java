package dev.millrace.admin;

import dev.millrace.core.spi.plan.PlanSettings;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The options of the administration.
 *
 * @param actor the author of the changes, as recorded in audit events
 * @param timeout longest time for one call of the store
 * @param maxWritesPerSecond most writes per second of a job, so that acquires keep their share of
 *     the table
 * @param pageSize most items that a job examines between two saves of its cursor; also bounds its
 *     memory
 * @param concurrency most buckets of a page that are refreshed at the same time
 * @param purgeAfter how long a namespace must have been deleted before it can be purged: longer
 *     than any cache may still contain it
 * @param plan the clock skew to allow for
 * @param clockMs the time, in epoch milliseconds
 * @param pacer the way to wait
 * @param random the source of ids
 * @param executor the threads that refresh a page when {@code concurrency} is more than one; null
 *     to create them and to close them with the administration
 */
public record AdminOptions(
    String actor,
    Duration timeout,
    int maxWritesPerSecond,
    int pageSize,
    int concurrency,
    Duration purgeAfter,
    PlanSettings plan,
    LongSupplier clockMs,
    Pacer pacer,
    RandomGenerator random,
    @Nullable ExecutorService executor) {
  /** Longest name of an actor. */
  public static final int MAX_ACTOR = 256;

  /** Most buckets that are refreshed at the same time. */
  public static final int MAX_CONCURRENCY = 64;

  public AdminOptions {
    requireActor(actor);
    requireBetween("timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(5));
    requireBetween("maxWritesPerSecond", maxWritesPerSecond, 1, 1_000_000);
    requireBetween("pageSize", pageSize, 1, Page.MAX_SIZE);
    requireBetween("concurrency", concurrency, 1, MAX_CONCURRENCY);
    requireBetween("purgeAfter", purgeAfter, Duration.ZERO, Duration.ofDays(366));
  }

  /** The defaults, for changes made by {@code actor}. */
  public static AdminOptions of(String actor) {
    return builder(actor).build();
  }

  /** A builder that starts from the defaults. */
  public static Builder builder(String actor) {
    return new Builder(actor);
  }

  static String requireActor(String actor) {
    if (actor.isEmpty() || actor.length() > MAX_ACTOR) {
      throw new IllegalArgumentException(
          "actor has " + actor.length() + " characters, must have from 1 to " + MAX_ACTOR);
    }
    if (actor.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("actor must not contain control characters");
    }
    return actor;
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

  /** A builder of options; each setter overwrites. */
  public static final class Builder {
    private final String actor;
    private Duration timeout = Duration.ofSeconds(5);
    private int maxWritesPerSecond = 500;
    private int pageSize = Page.MAX_SIZE;
    private int concurrency = 4;
    private Duration purgeAfter = Duration.ofMinutes(5);
    private PlanSettings plan = PlanSettings.DEFAULT;
    private LongSupplier clockMs = System::currentTimeMillis;
    private Pacer pacer = Pacer.sleeping();
    private RandomGenerator random = new SecureRandom();
    private @Nullable ExecutorService executor;

    private Builder(String actor) {
      this.actor = actor;
    }

    /** See {@link AdminOptions#timeout()}. */
    public Builder timeout(Duration value) {
      this.timeout = value;
      return this;
    }

    /** See {@link AdminOptions#maxWritesPerSecond()}. */
    public Builder maxWritesPerSecond(int value) {
      this.maxWritesPerSecond = value;
      return this;
    }

    /** See {@link AdminOptions#pageSize()}. */
    public Builder pageSize(int value) {
      this.pageSize = value;
      return this;
    }

    /** See {@link AdminOptions#concurrency()}. */
    public Builder concurrency(int value) {
      this.concurrency = value;
      return this;
    }

    /** See {@link AdminOptions#purgeAfter()}. */
    public Builder purgeAfter(Duration value) {
      this.purgeAfter = value;
      return this;
    }

    /** The longest time by which the clock of another writer may be ahead. */
    public Builder maxClockSkew(Duration value) {
      this.plan = new PlanSettings(plan.grainMs(), value.toMillis());
      return this;
    }

    /** See {@link AdminOptions#clockMs()}. */
    public Builder clockMs(LongSupplier value) {
      this.clockMs = value;
      return this;
    }

    /** See {@link AdminOptions#pacer()}. */
    public Builder pacer(Pacer value) {
      this.pacer = value;
      return this;
    }

    /** See {@link AdminOptions#random()}. */
    public Builder random(RandomGenerator value) {
      this.random = value;
      return this;
    }

    /** See {@link AdminOptions#executor()}. */
    public Builder executor(ExecutorService value) {
      this.executor = value;
      return this;
    }

    /** The options. */
    public AdminOptions build() {
      return new AdminOptions(
          actor,
          timeout,
          maxWritesPerSecond,
          pageSize,
          concurrency,
          purgeAfter,
          plan,
          clockMs,
          pacer,
          random,
          executor);
    }
  }
}
