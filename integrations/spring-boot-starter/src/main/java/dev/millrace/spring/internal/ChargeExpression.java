package dev.millrace.spring.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * The charge of a call or a request, in expressions: parsed once, evaluated each time. A mistake is
 * an {@link IllegalArgumentException} that names the field.
 *
 * @param entity the charged entity
 * @param resource the resource
 * @param limits the limits that come with it, null for the stored ones
 * @param consume the amounts before
 * @param settle the real amounts after
 */
record ChargeExpression(
    Name entity,
    Name resource,
    @Nullable LimitSet limits,
    List<Amount> consume,
    List<Amount> settle) {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();

  /**
   * Parses a charge.
   *
   * @param where its place in the code, the beginning of every error
   */
  static ChargeExpression of(
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
    String[] consumed =
        own == null || consume.length > 0
            ? consume
            : own.asList().stream().map(Limit::name).toArray(String[]::new);
    ChargeExpression charge =
        new ChargeExpression(
            Name.of(where + " entity", entity, NameRules::requireEntityId),
            Name.of(where + " resource", resource, NameRules::requireResource),
            own,
            amounts(where + " consume", consumed),
            amounts(where + " settle", settle));
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

  /** Parses all of {@code written}, each of another limit. */
  private static List<Amount> amounts(String field, String[] written) {
    Set<String> limits = new HashSet<>();
    List<Amount> amounts = Arrays.stream(written).map(one -> Amount.of(field, one)).toList();
    for (Amount amount : amounts) {
      if (!limits.add(amount.limit())) {
        throw new IllegalArgumentException(
            field + " '" + amount + "': limit '" + amount.limit() + "' is named twice");
      }
    }
    return amounts;
  }

  private static Expression parse(String field, String written) {
    try {
      return PARSER.parseExpression(written);
    } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
      throw new IllegalArgumentException(
          field + " '" + written + "' is neither a name nor an expression: " + e.getMessage(), e);
    }
  }

  private void requireKnownLimits(String where) {
    for (Amount amount : consume) {
      requireAmongLimits(where + " consume", amount);
    }
    for (Amount amount : settle) {
      requireAmongLimits(where + " settle", amount);
      if (consume.stream().noneMatch(one -> one.limit().equals(amount.limit()))) {
        throw new IllegalArgumentException(
            where + " settle '" + amount + "': the limit must be consumed too, with 0 if need be");
      }
    }
  }

  private void requireAmongLimits(String field, Amount amount) {
    if (limits != null && limits.indexOf(amount.limit()) < 0) {
      throw new IllegalArgumentException(
          field + " '" + amount + "' is none of the limits " + limits.asList());
    }
  }

  /**
   * The request in {@code context}.
   *
   * @param entityId the entity, as {@link #entity} yields it there
   */
  AcquireRequest request(String entityId, EvaluationContext context) {
    String name = resource.in(context);
    if (name == null) {
      throw new IllegalArgumentException("resource '" + resource + "' yields nothing");
    }
    AcquireRequest request = AcquireRequest.of(entityId, name);
    if (limits != null) {
      request = request.limits(limits);
    }
    for (Amount amount : consume) {
      request = request.consume(amount.limit(), amount.in(context));
    }
    return request;
  }

  void settle(Lease lease, EvaluationContext context) {
    for (Amount amount : settle) {
      lease.adjust(amount.limit(), amount.in(context) - lease.consumed(amount.limit()));
    }
  }

  /** A description of the charge, for operators. */
  Map<String, Object> described() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("entity", entity.toString());
    members.put("resource", resource.toString());
    members.put(
        "limits",
        limits == null ? "stored" : limits.asList().stream().map(Limit::toString).toList());
    members.put("consume", consume.stream().map(Amount::toString).toList());
    members.put("settle", settle.stream().map(Amount::toString).toList());
    return members;
  }

  /**
   * A name: written out, or an expression that yields one. A valid name is literal; since names
   * contain no {@code #}, {@code '} or {@code (}, an expression never is one.
   *
   * @param expression yields the name, null when it is literal
   * @param written the source text
   */
  record Name(@Nullable Expression expression, String written) {
    /** Parses {@code written}; {@code rule} throws for an invalid name. */
    static Name of(String field, String written, UnaryOperator<String> rule) {
      try {
        return new Name(null, rule.apply(written));
      } catch (IllegalArgumentException notAName) {
        return new Name(parse(field, written), written);
      }
    }

    /** The literal name, null when it depends on the call. */
    @Nullable String literal() {
      return expression == null ? written : null;
    }

    /** The name in {@code context}, null when the expression yields nothing. */
    @Nullable String in(EvaluationContext context) {
      if (expression == null) {
        return written;
      }
      Object value = expression.getValue(context);
      return value == null || value.toString().isEmpty() ? null : value.toString();
    }

    @Override
    public String toString() {
      return written;
    }
  }

  /**
   * An amount of tokens of a limit: {@code tpm=#prompt.length() / 4}, or {@code rpm} for one.
   *
   * @param limit the limit's name
   * @param expression the number of tokens, null for one
   * @param written the source text
   */
  record Amount(String limit, @Nullable Expression expression, String written) {
    static Amount of(String field, String written) {
      int sign = written.indexOf('=');
      String limit = (sign < 0 ? written : written.substring(0, sign)).strip();
      try {
        NameRules.requireLimitName(limit);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            field + " '" + written + "' is not of the form limit=expression: " + e.getMessage(), e);
      }
      return new Amount(
          limit, sign < 0 ? null : parse(field, written.substring(sign + 1)), written);
    }

    /** Whole tokens, fractions rounded up: the caller never gains. */
    long in(EvaluationContext context) {
      if (expression == null) {
        return 1;
      }
      Object value = expression.getValue(context);
      double number = number(value);
      if (!(number >= 0 && number <= Limit.MAX_TOKENS)) {
        throw new IllegalArgumentException(
            "'" + written + "' is " + value + ", must be a number from 0 to " + Limit.MAX_TOKENS);
      }
      return value instanceof Long whole ? whole : (long) Math.ceil(number);
    }

    private static double number(@Nullable Object value) {
      if (value instanceof Number number) {
        return number.doubleValue();
      }
      try {
        return value == null ? Double.NaN : Double.parseDouble(value.toString());
      } catch (NumberFormatException e) {
        return Double.NaN;
      }
    }

    @Override
    public String toString() {
      return written;
    }
  }
}
