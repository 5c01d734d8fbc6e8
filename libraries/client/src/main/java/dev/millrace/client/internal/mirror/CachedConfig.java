package dev.millrace.client.internal.mirror;

import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import dev.millrace.core.internal.resolution.ResolvedConfig;
import dev.millrace.core.spi.config.EffectiveLimits;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a bucket, as this process last looked it up.
 *
 * @param parent the bucket on which an acquire also draws, null for none
 * @param terms the stored limits, null when there are none
 * @param onUnavailable what the namespace says about an unavailable store, null for nothing
 * @param age how old it is
 */
public record CachedConfig(
    ResolvedConfig resolved,
    @Nullable BucketKey parent,
    @Nullable EffectiveLimits terms,
    @Nullable OnUnavailable onUnavailable,
    Age age) {
  /**
   * How long after a consistent look a bucket may be made from it. A bucket that exists is told
   * when its limits change; a new one must not begin with limits that were changed before.
   */
  public static final long CREATE_WITHIN_MS = 100;

  /** As the number of a look: whatever is in the cache will do. */
  public static final long ANY = 0;

  /**
   * The same for what the very call looked up that makes the bucket: its looks may be that slow
   * before all of it is looked up once more. With less a store that is far away would take a round
   * trip more for every first acquire, and what that brings would be as old.
   */
  public static final long CREATE_WITHIN_OWN_MS = 500;

  /**
   * How long it is believed that something is switched off: switching on must not take a minute.
   */
  public static final long DISABLED_MS = 1_000;

  /**
   * How old something is that was put together from several records.
   *
   * @param readAtMs when the oldest of the records was asked for
   * @param look the number of the look that brought the oldest
   * @param sure whether all of them were read strongly consistent
   * @param untilMs until when it is believed
   * @param generation of the cache: another one means that everything was invalidated
   */
  public record Age(long readAtMs, long look, boolean sure, long untilMs, int generation) {
    /** Whether all of it was asked for after that many looks had begun, and surely. */
    public boolean isAfter(long looks) {
      return looks == ANY || (sure && look > looks);
    }

    /** Whether {@code other} was asked for before this, or at the same time. */
    public boolean isAtLeast(Age other) {
      return generation != other.generation ? generation > other.generation : look >= other.look;
    }
  }

  /** The terms, or null when there are no limits; those of the call are stronger. */
  public @Nullable EffectiveLimits terms(@Nullable LimitSet given) {
    return given == null ? terms : resolved.terms(given);
  }

  public boolean isDisabled() {
    return resolved.stamp().disabled();
  }

  /**
   * Whether a bucket may be made from it.
   *
   * @param own the looks of the call that would make it
   */
  public boolean mayCreate(long nowMs, OwnLooks own) {
    long withinMs = age.look >= own.first() ? CREATE_WITHIN_OWN_MS : CREATE_WITHIN_MS;
    return age.sure && (age.look >= own.renewed() || nowMs - age.readAtMs <= withinMs);
  }

  /**
   * The looks that a call itself has made, by their numbers.
   *
   * @param first what was brought by this one, or a later one, was looked up for the call
   * @param renewed what was brought by this one, or a later one, counts as new however old it is:
   *     all was looked up once more, and cannot be had any newer
   */
  public record OwnLooks(long first, long renewed) {
    /** The call has looked nothing up. */
    public static final OwnLooks NONE = new OwnLooks(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** How long such a thing is believed. */
  public static long maxAgeMs(ResolvedConfig resolved, long configAgeMs) {
    return resolved.stamp().disabled() ? Math.min(DISABLED_MS, configAgeMs) : configAgeMs;
  }
}
