package dev.millrace.core.request;

import dev.millrace.core.entity.Names;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request wants of one resource. */
public final class Draw {
  private final String resource;
  private final @Nullable LimitSet limits;
  private final Map<String, Long> tokens;

  /** Matched once for the limits that were last met; a race only matches twice. */
  private @Nullable Amounts amounts;

  private Draw(String resource, @Nullable LimitSet limits, Map<String, Long> tokens) {
    this.resource = resource;
    this.limits = limits;
    this.tokens = tokens;
  }

  static Draw of(String resource) {
    return new Draw(Names.requireResource(resource), null, Map.of());
  }

  Draw limits(LimitSet given) {
    return new Draw(resource, given, tokens);
  }

  Draw consume(String limit, long amount) {
    Names.requireLimitName(limit);
    if (amount < 0 || amount > Limit.MAX_TOKENS) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': amount " + amount + " must be from 0 to " + Limit.MAX_TOKENS);
    }
    Map<String, Long> more = new LinkedHashMap<>(tokens);
    if (more.putIfAbsent(limit, amount) != null) {
      throw new IllegalArgumentException("limit '" + limit + "' is consumed twice in one request");
    }
    return new Draw(resource, limits, Collections.unmodifiableMap(more));
  }

  Draw consumeAll(Map<String, Long> amountsByLimit) {
    Draw draw = this;
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
