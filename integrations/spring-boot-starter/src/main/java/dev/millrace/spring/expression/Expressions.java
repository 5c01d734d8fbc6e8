package dev.millrace.spring.expression;

import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads expressions; what cannot be read is refused with where it stands. */
public final class Expressions {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();

  private Expressions() {}

  /** The expression that {@code written} is. */
  public static Expression parse(String field, String written) {
    try {
      return PARSER.parseExpression(written);
    } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
      throw new IllegalArgumentException(
          field + " '" + written + "' is neither a name nor an expression: " + e.getMessage(), e);
    }
  }
}
