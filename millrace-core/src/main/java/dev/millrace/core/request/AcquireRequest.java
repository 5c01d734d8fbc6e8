package dev.millrace.core.request;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.entity.Names;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who wants how much of what. Immutable: each method returns a new request, so a prepared one can
 * be shared and refined.
 *
 * <pre>{@code
 * AcquireRequest.of("key-42", "gpt-4")
 *     .limits(Limit.perMinute("rpm", 100), Limit.perMinute("tpm", 10_000))
 *     .consume("rpm", 1)
 *     .consume("tpm", 500);
 * }</pre>
 */
public final class AcquireRequest {
  private final String entityId;
  private final String resource;
  private final @Nullable LimitSet limits;
  private final Map<String, Long> tokens;
  private final Preferences preferences;

  /** Matched once, because prepared requests are used again; a race only matches twice. */
  private @Nullable Amounts amounts;

  private @Nullable BucketKey key;

  private AcquireRequest(
      String entityId,
      String resource,
      @Nullable LimitSet limits,
      Map<String, Long> tokens,
      Preferences preferences) {
    this.entityId = entityId;
    this.resource = resource;
    this.limits = limits;
    this.tokens = tokens;
    this.preferences = preferences;
  }

  /**
   * What a request wants otherwise than its limiter; null is the limiter's way.
   *
   * @param onUnavailable what to answer when the store cannot be reached
   * @param prefetch whether to be served from tokens taken ahead
   * @param settlement when adjustments are written
   */
  public record Preferences(
      @Nullable OnUnavailable onUnavailable,
      @Nullable Boolean prefetch,
      @Nullable Settlement settlement) {
    static final Preferences NONE = new Preferences(null, null, null);
  }

  /** A request of {@code entityId} for {@code resource} that consumes nothing yet. */
  public static AcquireRequest of(String entityId, String resource) {
    return new AcquireRequest(
        Names.requireEntityId(entityId),
        Names.requireResource(resource),
        null,
        Map.of(),
        Preferences.NONE);
  }

  /** The limits that apply: all limits of this entity and resource, consumed or not. */
  public AcquireRequest limits(LimitSet limits) {
    return new AcquireRequest(entityId, resource, limits, tokens, preferences);
  }

  /** The limits that apply: all limits of this entity and resource, consumed or not. */
  public AcquireRequest limits(Limit... limits) {
    return limits(LimitSet.of(limits));
  }

  /**
   * Consumes {@code amount} tokens of {@code limit}. Zero is allowed: it asks only that the limit
   * is not in debt.
   */
  public AcquireRequest consume(String limit, long amount) {
    Names.requireLimitName(limit);
    if (amount < 0 || amount > Limit.MAX_TOKENS) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': amount " + amount + " must be from 0 to " + Limit.MAX_TOKENS);
    }
    Map<String, Long> more = new LinkedHashMap<>(tokens);
    if (more.putIfAbsent(limit, amount) != null) {
      throw new IllegalArgumentException("limit '" + limit + "' is consumed twice in one request");
    }
    return new AcquireRequest(
        entityId, resource, limits, Collections.unmodifiableMap(more), preferences);
  }

  /** What to answer when the store cannot be reached, over the limiter's own setting. */
  public AcquireRequest onUnavailable(OnUnavailable policy) {
    return with(new Preferences(policy, preferences.prefetch(), preferences.settlement()));
  }

  /** Whether to be served from tokens taken ahead, over the limiter's own setting. */
  public AcquireRequest prefetch(boolean prefetch) {
    return with(new Preferences(preferences.onUnavailable(), prefetch, preferences.settlement()));
  }

  /** When adjustments of the lease are written, over the limiter's own setting. */
  public AcquireRequest settlement(Settlement settlement) {
    return with(new Preferences(preferences.onUnavailable(), preferences.prefetch(), settlement));
  }

  private AcquireRequest with(Preferences changed) {
    return new AcquireRequest(entityId, resource, limits, tokens, changed);
  }

  /** Who asks. */
  public String entityId() {
    return entityId;
  }

  /** What is asked for. */
  public String resource() {
    return resource;
  }

  /** The amounts in whole tokens, in the order in which they were named. */
  public Map<String, Long> tokens() {
    return tokens;
  }

  /** What it wants otherwise than its limiter. */
  public Preferences preferences() {
    return preferences;
  }

  /** The first shard of its bucket in {@code namespace}. */
  public BucketKey keyIn(String namespace) {
    BucketKey known = key;
    if (known == null || !known.namespace().equals(namespace)) {
      known = BucketKey.first(namespace, entityId, resource);
      key = known;
    }
    return known;
  }

  /** The limits; a request without any is an error. */
  public LimitSet requireLimits() {
    if (limits == null) {
      throw new IllegalArgumentException(
          "request for " + entityId + "/" + resource + " has no limits: add .limits(…)");
    }
    return limits;
  }

  /** The amounts matched to the limits; an unknown limit or an empty request is an error. */
  public Amounts requireAmounts() {
    Amounts known = amounts;
    if (known == null) {
      known = matched();
      amounts = known;
    }
    return known;
  }

  private Amounts matched() {
    if (tokens.isEmpty()) {
      throw new IllegalArgumentException(
          "request for " + entityId + "/" + resource + " consumes nothing: add .consume(…)");
    }
    return Amounts.ofTokens(requireLimits(), tokens);
  }

  @Override
  public String toString() {
    return entityId + "/" + resource + " " + tokens;
  }
}
