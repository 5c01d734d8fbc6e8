package dev.millrace.client.internal.mirror;

import dev.millrace.AcquireRequest;
import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.DisabledBucket;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that was checked and resolved: nothing in it can be wrong any more.
 *
 * @param legs every bucket that it draws on; the first is the entity's own for the first resource
 * @param settleOnly the buckets of ancestors and further resources that have limits, but none that
 *     the request names: nothing is taken from them now, and the lease charges them for what it is
 *     adjusted by
 * @param policy what to answer when the store is away
 * @param prefetch whether tokens may be charged ahead for it
 * @param off what is switched off although the request draws nothing from it, null for nothing
 */
public record ResolvedRequest(
    AcquireRequest request,
    List<Leg> legs,
    List<Leg> settleOnly,
    OnUnavailable policy,
    boolean prefetch,
    Settlement settlement,
    Consistency consistency,
    @Nullable DisabledBucket off) {
  /**
   * A request with its legs.
   *
   * @param settleOnly see {@link #settleOnly()}
   * @param stored what the configuration says about an unavailable store, null for nothing
   * @param off see {@link #off()}
   */
  public static ResolvedRequest of(
      AcquireRequest request,
      List<Leg> legs,
      List<Leg> settleOnly,
      LimiterOptions options,
      @Nullable OnUnavailable stored,
      @Nullable DisabledBucket off) {
    AcquireRequest.Preferences wanted = request.preferences();
    return new ResolvedRequest(
        request,
        legs,
        settleOnly,
        policy(request, options, stored),
        Objects.requireNonNullElse(wanted.prefetch(), options.prefetch()),
        Objects.requireNonNullElse(wanted.settlement(), options.settlement()),
        Objects.requireNonNullElse(wanted.consistency(), options.consistency()),
        off);
  }

  /** The same with other legs. */
  public ResolvedRequest withLegs(List<Leg> changed) {
    return new ResolvedRequest(
        request, List.copyOf(changed), settleOnly, policy, prefetch, settlement, consistency, off);
  }

  /**
   * Whether the same request can be answered by this again for as long as {@code config} is that of
   * its first bucket.
   */
  public boolean dependsOnlyOn(CachedConfig config) {
    return legs.size() == 1
        && request.draws().size() == 1
        && config.parent() == null
        && off == null
        && !first().mayCreate(); // that holds only for a moment
  }

  /** Whether no leg's bucket is divided or should be: then no shard has to be picked. */
  public boolean isUndivided(long elapsedMs) {
    for (int i = 0; i < legs.size(); i++) {
      if (!legs.get(i).bucket().isUndivided(elapsedMs)) {
        return false;
      }
    }
    return true;
  }

  /** The request's own setting, else the limiter's, else the stored one, else to block. */
  public static OnUnavailable policy(
      AcquireRequest request, LimiterOptions options, @Nullable OnUnavailable stored) {
    OnUnavailable wanted = request.preferences().onUnavailable();
    if (wanted != null) {
      return wanted;
    }
    if (options.onUnavailable() != null) {
      return options.onUnavailable();
    }
    return stored == null ? OnUnavailable.BLOCK : stored;
  }

  /** Whether it may be served from tokens that were charged ahead. */
  public boolean isPrefetched() {
    return prefetch && legs.size() == 1;
  }

  /** Whether anything that it draws on is known to be switched off. */
  public boolean isOff() {
    return off != null || switchedOff() != null;
  }

  /** The first leg that is known to be switched off, or null. */
  public @Nullable Leg switchedOff() {
    for (int i = 0; i < legs.size(); i++) {
      if (legs.get(i).terms().stamp().disabled()) {
        return legs.get(i);
      }
    }
    return null;
  }

  public Leg first() {
    return legs.get(0);
  }

  public BucketKey key() {
    return first().key();
  }

  public Amounts amounts() {
    return first().amounts();
  }

  public boolean isTransactional() {
    return legs.size() > 1 && consistency == Consistency.TRANSACTIONAL;
  }
}
