package dev.millrace.spring.expression;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;

/**
 * A name in a configuration: written out, or an expression that yields one. A valid name is
 * literal; since names contain no {@code #}, {@code '} or {@code (}, an expression never is one.
 */
public final class NameExpression {
  private final @Nullable Expression expression;
  private final String written;

  private NameExpression(@Nullable Expression expression, String written) {
    this.expression = expression;
    this.written = written;
  }

  /**
   * Parses {@code written}.
   *
   * @param field the name of the field, for errors
   * @param rule checks names; throws for an invalid one
   */
  public static NameExpression of(String field, String written, UnaryOperator<String> rule) {
    try {
      return new NameExpression(null, rule.apply(written));
    } catch (IllegalArgumentException notAName) {
      return new NameExpression(ExpressionParser.parse(field, written), written);
    }
  }

  /** The literal name, null when it depends on the call. */
  public @Nullable String literal() {
    return expression == null ? written : null;
  }

  /** The name in {@code context}, null when the expression yields nothing. */
  public @Nullable String in(EvaluationContext context) {
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
