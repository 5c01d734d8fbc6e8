package dev.millrace.client.internal.mirror;

import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.decision.Disabled;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.Consistency;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that was checked and resolved: nothing in it can be wrong any more.
 *
 * @param legs every bucket that it draws on; the first is the entity's own for the first resource
 * @param settleOnly the buckets of ancestors and further resources that have limits, but none that
 *     the request names: nothing is taken from them now, and the lease charges them for what it is
 *     adjusted by
 * @param policy what to answer when the store is away
 * @param off what is switched off although the request draws nothing from it, null for nothing
 */
public record ResolvedRequest(
    AcquireRequest request,
    List<Leg> legs,
    List<Leg> settleOnly,
    OnUnavailable policy,
    LimiterOptions options,
    @Nullable Disabled off) {
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
      @Nullable Disabled off) {
    return new ResolvedRequest(
        request, legs, settleOnly, policy(request, options, stored), options, off);
  }

  /** The same with other legs. */
  public ResolvedRequest withLegs(List<Leg> changed) {
    return new ResolvedRequest(request, List.copyOf(changed), settleOnly, policy, options, off);
  }

  /** The call's own word, else the limiter's, else what is stored, else to block. */
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

  public boolean prefetch() {
    Boolean wanted = request.preferences().prefetch();
    return wanted == null ? options.prefetch() : wanted;
  }

  public Settlement settlement() {
    Settlement wanted = request.preferences().settlement();
    return wanted == null ? options.settlement() : wanted;
  }

  public boolean isTransactional() {
    Consistency wanted = request.preferences().consistency();
    return legs.size() > 1
        && (wanted == null ? options.consistency() : wanted) == Consistency.TRANSACTIONAL;
  }
}
