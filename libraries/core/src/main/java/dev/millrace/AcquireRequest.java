package dev.millrace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The amounts that an entity wants of one or more resources. Immutable: each method returns a new
 * request, so a prepared one can be shared and refined.
 *
 * <pre>{@code
 * AcquireRequest.of("key-42", "gpt-4")
 *     .consume("rpm", 1)
 *     .consume("tpm", 500)
 *     .and("llm-budget", "cents", 3);
 * }</pre>
 *
 * <p>The limits are those that are stored for the entity and the resource, unless the request
 * brings its own with {@link #limits(Limit...)}. A limit that the request names and the entity does
 * not have is an error. An ancestor, and a further resource, is charged for those of the named
 * limits that it has.
 */
public final class AcquireRequest {
  /** Most resources of one request. */
  public static final int MAX_RESOURCES = 8;

  private final String entityId;

  /** What is asked for; the first is the one that the request was made with. */
  private final List<ResourceAmounts> draws;

  private final Preferences preferences;

  /** Made once, because prepared requests are used again; a race only makes it twice. */
  private @Nullable BucketKey key;

  /** Whether it was checked; a race only checks it twice. */
  private boolean complete;

  private AcquireRequest(String entityId, List<ResourceAmounts> draws, Preferences preferences) {
    this.entityId = entityId;
    this.draws = draws;
    this.preferences = preferences;
  }

  /**
   * The settings of a request that differ from its limiter's; null is the limiter's way.
   *
   * @param onUnavailable what to answer when the store cannot be reached
   * @param prefetch whether to be served from tokens taken ahead
   * @param settlement when adjustments are written
   * @param consistency how several buckets are written
   */
  public record Preferences(
      @Nullable OnUnavailable onUnavailable,
      @Nullable Boolean prefetch,
      @Nullable Settlement settlement,
      @Nullable Consistency consistency) {
    static final Preferences NONE = new Preferences(null, null, null, null);
  }

  /** A request of {@code entityId} for {@code resource} that consumes nothing yet. */
  public static AcquireRequest of(String entityId, String resource) {
    return new AcquireRequest(
        NameRules.requireEntityId(entityId),
        List.of(ResourceAmounts.of(resource)),
        Preferences.NONE);
  }

  /**
   * The limits that apply, instead of the stored ones: all limits of this entity and resource,
   * consumed or not. Those of ancestors and further resources are not affected.
   */
  public AcquireRequest limits(LimitSet limits) {
    return withFirst(first().limits(limits));
  }

  /** See {@link #limits(LimitSet)}. */
  public AcquireRequest limits(Limit... limits) {
    return limits(LimitSet.of(limits));
  }

  /**
   * Consumes {@code amount} tokens of {@code limit}. Zero is allowed: it asks only that the limit
   * is not in debt.
   */
  public AcquireRequest consume(String limit, long amount) {
    return withFirst(first().consume(limit, amount));
  }

  /**
   * Consumes of a further resource of the same entity too, all or none. It is charged for those of
   * the named limits that it has; one that has none of them lets the request pass.
   */
  public AcquireRequest and(String resource, String limit, long amount) {
    return and(ResourceAmounts.of(resource).consume(limit, amount));
  }

  /** See {@link #and(String, String, long)}. */
  public AcquireRequest and(String resource, Map<String, Long> tokens) {
    return and(ResourceAmounts.of(resource).consumeAll(tokens));
  }

  /** See {@link #and(String, String, long)}; with limits of its own instead of stored ones. */
  public AcquireRequest and(String resource, LimitSet limits, Map<String, Long> tokens) {
    return and(ResourceAmounts.of(resource).limits(limits).consumeAll(tokens));
  }

  private AcquireRequest and(ResourceAmounts further) {
    if (draws.size() == MAX_RESOURCES) {
      throw new IllegalArgumentException(
          "resource '" + further.resource() + "' is one too many: at most " + MAX_RESOURCES);
    }
    for (ResourceAmounts draw : draws) {
      if (draw.resource().equals(further.resource())) {
        throw new IllegalArgumentException(
            "resource '" + further.resource() + "' is named twice in one request");
      }
    }
    List<ResourceAmounts> more = new ArrayList<>(draws);
    more.add(further);
    return new AcquireRequest(entityId, List.copyOf(more), preferences);
  }

  /** What to answer when the store cannot be reached, over the limiter's own setting. */
  public AcquireRequest onUnavailable(OnUnavailable policy) {
    return with(
        new Preferences(
            policy, preferences.prefetch(), preferences.settlement(), preferences.consistency()));
  }

  /** Whether to be served from tokens taken ahead, over the limiter's own setting. */
  public AcquireRequest prefetch(boolean prefetch) {
    return with(
        new Preferences(
            preferences.onUnavailable(),
            prefetch,
            preferences.settlement(),
            preferences.consistency()));
  }

  /** When adjustments of the lease are written, over the limiter's own setting. */
  public AcquireRequest settlement(Settlement settlement) {
    return with(
        new Preferences(
            preferences.onUnavailable(),
            preferences.prefetch(),
            settlement,
            preferences.consistency()));
  }

  /** How several buckets are written, over the limiter's own setting. */
  public AcquireRequest consistency(Consistency consistency) {
    return with(
        new Preferences(
            preferences.onUnavailable(),
            preferences.prefetch(),
            preferences.settlement(),
            consistency));
  }

  private AcquireRequest with(Preferences changed) {
    return new AcquireRequest(entityId, draws, changed);
  }

  private AcquireRequest withFirst(ResourceAmounts changed) {
    List<ResourceAmounts> all = new ArrayList<>(draws);
    all.set(0, changed);
    return new AcquireRequest(entityId, List.copyOf(all), preferences);
  }

  private ResourceAmounts first() {
    return draws.get(0);
  }

  /** The same request for its first resource alone, with other amounts. */
  public AcquireRequest anew(Map<String, Long> tokens) {
    ResourceAmounts draw = ResourceAmounts.of(resource());
    ResourceAmounts own = first().limits() == null ? draw : draw.limits(first().limits());
    return new AcquireRequest(entityId, List.of(own.consumeAll(tokens)), preferences);
  }

  /** Who asks. */
  public String entityId() {
    return entityId;
  }

  /** What is asked for first. */
  public String resource() {
    return first().resource();
  }

  /** The amounts of the first resource in whole tokens, in the order in which they were named. */
  public Map<String, Long> tokens() {
    return first().tokens();
  }

  /** What is asked for, each resource once; the first is the one it was made with. */
  public List<ResourceAmounts> draws() {
    return draws;
  }

  /** What it wants otherwise than its limiter. */
  public Preferences preferences() {
    return preferences;
  }

  /** The first shard of the bucket of the first resource in {@code namespace}. */
  public BucketKey keyIn(String namespace) {
    BucketKey known = key;
    if (known == null || !known.namespace().equals(namespace)) {
      known = BucketKey.first(namespace, entityId, resource());
      key = known;
    }
    return known;
  }

  /** The limits that it brings for its first resource; an error when it brings none. */
  public LimitSet requireLimits() {
    LimitSet limits = first().limits();
    if (limits == null) {
      throw new IllegalArgumentException(
          "request for " + entityId + "/" + resource() + " has no limits: add .limits(…)");
    }
    return limits;
  }

  /** The amounts matched to the limits that it brings for its first resource. */
  public Amounts requireAmounts() {
    requireComplete();
    return first().amountsOf(requireLimits());
  }

  /**
   * Checks what needs no configuration: that every resource is consumed, and that limits which the
   * request brings are those that it names.
   */
  public void requireComplete() {
    if (complete) {
      return;
    }
    for (ResourceAmounts draw : draws) {
      if (draw.tokens().isEmpty()) {
        throw new IllegalArgumentException(
            "request for "
                + entityId
                + "/"
                + draw.resource()
                + " consumes nothing: add .consume(…)");
      }
      if (draw.limits() != null) {
        Amounts unused = draw.amountsOf(draw.limits());
      }
    }
    complete = true;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(entityId);
    for (ResourceAmounts draw : draws) {
      text.append(text.length() == entityId.length() ? "/" : " and ").append(draw);
    }
    return text.toString();
  }

  /** The amounts that a request wants of one resource. */
  public static final class ResourceAmounts {
    private final String resource;
    private final @Nullable LimitSet limits;
    private final Map<String, Long> tokens;

    /** Matched once for the limits that were last met; a race only matches twice. */
    private @Nullable Amounts amounts;

    private ResourceAmounts(String resource, @Nullable LimitSet limits, Map<String, Long> tokens) {
      this.resource = resource;
      this.limits = limits;
      this.tokens = tokens;
    }

    static ResourceAmounts of(String resource) {
      return new ResourceAmounts(NameRules.requireResource(resource), null, Map.of());
    }

    ResourceAmounts limits(LimitSet given) {
      return new ResourceAmounts(resource, given, tokens);
    }

    ResourceAmounts consume(String limit, long amount) {
      NameRules.requireLimitName(limit);
      if (amount < 0 || amount > Limit.MAX_TOKENS) {
        throw new IllegalArgumentException(
            "limit '" + limit + "': amount " + amount + " must be from 0 to " + Limit.MAX_TOKENS);
      }
      Map<String, Long> more = new LinkedHashMap<>(tokens);
      if (more.putIfAbsent(limit, amount) != null) {
        throw new IllegalArgumentException(
            "limit '" + limit + "' is consumed twice in one request");
      }
      return new ResourceAmounts(resource, limits, Collections.unmodifiableMap(more));
    }

    ResourceAmounts consumeAll(Map<String, Long> amountsByLimit) {
      ResourceAmounts draw = this;
      for (Map.Entry<String, Long> entry : amountsByLimit.entrySet()) {
        draw = draw.consume(entry.getKey(), entry.getValue());
      }
      return draw;
    }

    /** Which resource. */
    public String resource() {
      return resource;
    }

    /** Limits that came with the request, null for the stored ones. */
    public @Nullable LimitSet limits() {
      return limits;
    }

    /** The amounts in whole tokens, in the order in which they were named. */
    public Map<String, Long> tokens() {
      return tokens;
    }

    /** The amounts matched to {@code known}; a limit that it does not have is an error. */
    public Amounts amountsOf(LimitSet known) {
      Amounts matched = amounts;
      if (matched == null || !matched.limits().equals(known)) {
        matched = Amounts.ofTokens(known, tokens);
        amounts = matched;
      }
      return matched;
    }

    /** The amounts of those limits that {@code known} has; perhaps of none. */
    public Amounts knownAmountsOf(LimitSet known) {
      Map<String, Long> present = new LinkedHashMap<>(tokens);
      present.keySet().removeIf(name -> known.indexOf(name) < 0);
      return Amounts.ofTokens(known, present);
    }

    @Override
    public String toString() {
      return resource + " " + tokens;
    }
  }
}
