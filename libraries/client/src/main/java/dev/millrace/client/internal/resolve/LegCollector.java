package dev.millrace.client.internal.resolve;

import dev.millrace.AcquireRequest;
import dev.millrace.AcquireRequest.ResourceAmounts;
import dev.millrace.Amounts;
import dev.millrace.DisabledBucket;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the legs of a request: for each resource the entity's own and those of its ancestors.
 */
public final class LegCollector {
  private final AcquireRequest request;
  private final long nowMs;
  private final CachedConfig.OwnLooks own;
  private final List<Leg> legs = new ArrayList<>(2);
  private List<Leg> settleOnly = List.of();
  private @Nullable OnUnavailable storedPolicy;
  private @Nullable DisabledBucket off;

  /**
   * Begins.
   *
   * @param own the looks that were made for the request
   */
  public LegCollector(AcquireRequest request, long nowMs, CachedConfig.OwnLooks own) {
    this.request = request;
    this.nowMs = nowMs;
    this.own = own;
  }

  /**
   * Whether the entity has limits, and all of those that the request names for its first resource.
   * When it has not, either the request is wrong or what is known is old.
   */
  public static boolean suffices(ResourceAmounts draw, CachedConfig known) {
    if (draw.limits() != null) {
      return true;
    }
    EffectiveLimits terms = known.terms();
    if (terms == null) {
      return false;
    }
    for (String limit : draw.tokens().keySet()) {
      if (terms.limits().indexOf(limit) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The entity's own leg for the first resource: it must have what the request names. */
  public void addFirst(MirroredBucket bucket, CachedConfig known) {
    ResourceAmounts draw = request.draws().get(0);
    EffectiveLimits terms = known.terms(draw.limits());
    if (terms == null) {
      throw noLimits(draw.resource());
    }
    storedPolicy = known.onUnavailable();
    legs.add(leg(bucket, known, terms, draw.amountsOf(terms.limits())));
  }

  /**
   * A further leg: it is charged for those limits of the request that it has. A bucket with other
   * limits alone is charged at the end, for what the lease is adjusted by; and it must be switched
   * on all the same.
   */
  public void add(ResourceAmounts draw, boolean own, MirroredBucket bucket, CachedConfig known) {
    if (isThere(bucket)) {
      return; // parents that go round in a circle
    }
    EffectiveLimits terms = known.terms(own ? draw.limits() : null);
    Amounts amounts = terms == null ? null : draw.knownAmountsOf(terms.limits());
    boolean looks = draw.tokens().isEmpty(); // who only looks, looks at all
    if (terms != null && amounts != null && (looks || !amounts.isEmpty())) {
      legs.add(leg(bucket, known, terms, amounts));
      return;
    }
    if (terms != null && amounts != null) {
      addSettleOnly(leg(bucket, known, terms, amounts));
    }
    if (known.isDisabled() && off == null) {
      off = new DisabledBucket(bucket.key().entityId(), bucket.key().resource());
    }
  }

  private void addSettleOnly(Leg leg) {
    if (settleOnly.isEmpty()) {
      settleOnly = new ArrayList<>(2);
    }
    settleOnly.add(leg);
  }

  private Leg leg(
      MirroredBucket bucket, CachedConfig known, EffectiveLimits terms, Amounts amounts) {
    return new Leg(bucket, terms, amounts, known.mayCreate(nowMs, own));
  }

  private boolean isThere(MirroredBucket bucket) {
    return isIn(legs, bucket) || isIn(settleOnly, bucket);
  }

  private static boolean isIn(List<Leg> legs, MirroredBucket bucket) {
    for (int i = 0; i < legs.size(); i++) {
      if (legs.get(i).key().equals(bucket.key())) {
        return true;
      }
    }
    return false;
  }

  public List<Leg> all() {
    return List.copyOf(legs);
  }

  public ResolvedRequest prepared(LimiterOptions options) {
    return ResolvedRequest.of(request, all(), List.copyOf(settleOnly), options, storedPolicy, off);
  }

  private LimiterConfigurationException noLimits(String resource) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("entity", request.entityId());
    attributes.put("resource", resource);
    attributes.put(
        "todo", "store limits at one of the four levels, or give the request .limits(…)");
    return new LimiterConfigurationException("no limits apply", attributes, null);
  }
}
