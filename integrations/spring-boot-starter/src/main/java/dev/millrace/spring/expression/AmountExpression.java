package dev.millrace.spring.expression;

import dev.millrace.Limit;
import dev.millrace.core.internal.NameRules;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;

/**
 * An amount of tokens of a limit: {@code tpm=#prompt.length() / 4}, or {@code rpm} for one.
 *
 * @param limit the limit's name
 * @param expression the number of tokens, null for one
 * @param written the source text, for errors
 */
public record AmountExpression(String limit, @Nullable Expression expression, String written) {
  /** Reads {@code written}, which stands in {@code field}. */
  public static AmountExpression of(String field, String written) {
    int sign = written.indexOf('=');
    String limit = (sign < 0 ? written : written.substring(0, sign)).strip();
    try {
      NameRules.requireLimitName(limit);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          field + " '" + written + "' is not of the form limit=expression: " + e.getMessage(), e);
    }
    return new AmountExpression(
        limit,
        sign < 0 ? null : ExpressionParser.parse(field, written.substring(sign + 1)),
        written);
  }

  /** Reads all of {@code written}, each of another limit. */
  public static List<AmountExpression> all(String field, String... written) {
    Set<String> limits = new HashSet<>();
    List<AmountExpression> amounts = Arrays.stream(written).map(one -> of(field, one)).toList();
    for (AmountExpression amount : amounts) {
      if (!limits.add(amount.limit())) {
        throw new IllegalArgumentException(
            field + " '" + amount + "': limit '" + amount.limit() + "' is named twice");
      }
    }
    return amounts;
  }

  /** Whole tokens, fractions rounded up: the caller never gains. */
  public long in(EvaluationContext context) {
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

  /** The source text. */
  String shown() {
    return written.isEmpty() ? limit : written;
  }

  @Override
  public String toString() {
    return shown();
  }
}
