package dev.millrace.spring.expression;

import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The parser of expressions; an error names the place of the expression. */
public final class ExpressionParser {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();

  private ExpressionParser() {}

  /** The expression in {@code written}. */
  public static Expression parse(String field, String written) {
    try {
      return PARSER.parseExpression(written);
    } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
      throw new IllegalArgumentException(
          field + " '" + written + "' is neither a name nor an expression: " + e.getMessage(), e);
    }
  }
}
