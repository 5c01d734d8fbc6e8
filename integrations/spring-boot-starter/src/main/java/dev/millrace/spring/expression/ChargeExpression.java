package dev.millrace.spring.expression;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.NameRules;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/**
 * The charge of a call or a request, in expressions: parsed once, evaluated each time.
 *
 * @param entity the charged entity
 * @param resource the resource
 * @param limits the limits that come with it, null for the stored ones
 * @param consume the amounts before
 * @param settle the real amounts after
 */
public record ChargeExpression(
    NameExpression entity,
    NameExpression resource,
    @Nullable LimitSet limits,
    List<AmountExpression> consume,
    List<AmountExpression> settle) {
  /**
   * Parses a charge; a mistake is an {@link IllegalArgumentException} that names the field.
   *
   * @param where its place in the code, the beginning of every error
   */
  public static ChargeExpression of(
      String where,
      String entity,
      String resource,
      String[] limits,
      String[] consume,
      String[] settle) {
    LimitSet own = limits.length == 0 ? null : limits(where, limits);
    if (own == null && consume.length == 0) {
      throw new IllegalArgumentException(
          where + " says neither limits nor consume: name what is to be charged");
    }
    List<AmountExpression> consumed =
        own == null || consume.length > 0
            ? AmountExpression.all(where + " consume", consume)
            : own.asList().stream()
                .map(limit -> new AmountExpression(limit.name(), null, ""))
                .toList();
    ChargeExpression charge =
        new ChargeExpression(
            NameExpression.of(where + " entity", entity, NameRules::requireEntityId),
            NameExpression.of(where + " resource", resource, NameRules::requireResource),
            own,
            consumed,
            AmountExpression.all(where + " settle", settle));
    charge.requireKnownLimits(where);
    return charge;
  }

  private static LimitSet limits(String where, String[] limits) {
    try {
      return LimitSet.of(Arrays.stream(limits).map(LimitNotation::parse).toArray(Limit[]::new));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + " limits: " + e.getMessage(), e);
    }
  }

  private void requireKnownLimits(String where) {
    for (AmountExpression amount : consume) {
      requireAmongLimits(where + " consume", amount);
    }
    for (AmountExpression amount : settle) {
      requireAmongLimits(where + " settle", amount);
      if (consume.stream().noneMatch(one -> one.limit().equals(amount.limit()))) {
        throw new IllegalArgumentException(
            where + " settle '" + amount + "': the limit must be consumed too, with 0 if need be");
      }
    }
  }

  private void requireAmongLimits(String field, AmountExpression amount) {
    if (limits != null
        && limits.asList().stream().noneMatch(limit -> limit.name().equals(amount.limit()))) {
      throw new IllegalArgumentException(
          field + " '" + amount + "' is none of the limits " + limits.asList());
    }
  }

  /**
   * The request in {@code context}.
   *
   * @param entityId the entity, as {@link #entity} yields it there
   */
  public AcquireRequest request(String entityId, EvaluationContext context) {
    String name = resource.in(context);
    if (name == null) {
      throw new IllegalArgumentException("resource '" + resource + "' yields nothing");
    }
    AcquireRequest request = AcquireRequest.of(entityId, name);
    if (limits != null) {
      request = request.limits(limits);
    }
    for (AmountExpression amount : consume) {
      request = request.consume(amount.limit(), amount.in(context));
    }
    return request;
  }

  /** Adjusts {@code lease} to the cost in {@code context}. */
  public void settle(Lease lease, EvaluationContext context) {
    for (AmountExpression amount : settle) {
      lease.adjust(amount.limit(), amount.in(context) - lease.consumed(amount.limit()));
    }
  }

  /** A description of the charge, for operators. */
  public Map<String, Object> described() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("entity", entity.toString());
    members.put("resource", resource.toString());
    members.put(
        "limits",
        limits == null ? "stored" : limits.asList().stream().map(Limit::toString).toList());
    members.put("consume", consume.stream().map(AmountExpression::shown).toList());
    members.put("settle", settle.stream().map(AmountExpression::shown).toList());
    return members;
  }
}
