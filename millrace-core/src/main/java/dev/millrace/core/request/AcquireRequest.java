package dev.millrace.core.request;

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
  private final @Nullable OnUnavailable onUnavailable;

  private AcquireRequest(
      String entityId,
      String resource,
      @Nullable LimitSet limits,
      Map<String, Long> tokens,
      @Nullable OnUnavailable onUnavailable) {
    this.entityId = entityId;
    this.resource = resource;
    this.limits = limits;
    this.tokens = tokens;
    this.onUnavailable = onUnavailable;
  }

  /** A request of {@code entityId} for {@code resource} that consumes nothing yet. */
  public static AcquireRequest of(String entityId, String resource) {
    return new AcquireRequest(
        Names.requireEntityId(entityId), Names.requireResource(resource), null, Map.of(), null);
  }

  /** The limits that apply: all limits of this entity and resource, consumed or not. */
  public AcquireRequest limits(LimitSet limits) {
    return new AcquireRequest(entityId, resource, limits, tokens, onUnavailable);
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
        entityId, resource, limits, Collections.unmodifiableMap(more), onUnavailable);
  }

  /** What to answer when the store cannot be reached, over the limiter's own setting. */
  public AcquireRequest onUnavailable(OnUnavailable policy) {
    return new AcquireRequest(entityId, resource, limits, tokens, policy);
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

  /** The request's own policy, null for the limiter's. */
  public @Nullable OnUnavailable onUnavailable() {
    return onUnavailable;
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
