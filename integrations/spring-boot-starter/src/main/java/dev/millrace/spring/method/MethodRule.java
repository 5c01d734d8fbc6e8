package dev.millrace.spring.method;

import dev.millrace.spring.RateLimited;
import dev.millrace.spring.expression.ChargeExpression;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * The rule of a method with {@link RateLimited}, parsed once.
 *
 * @param charge the charge
 * @param maxWait longest wait, null for none
 * @param result determines the end of a call
 */
record MethodRule(ChargeExpression charge, @Nullable Duration maxWait, Result result) {
  /** The end of a call. */
  enum Result {
    /** When it returns. */
    VALUE,
    /** When its stage completes. */
    STAGE,
    /** When its publisher of at most one element ends. */
    MONO,
    /** When its publisher ends. */
    FLUX
  }

  /** Parses {@code annotation}; an error names the method. */
  static MethodRule of(Method method, RateLimited annotation) {
    String where = where(method);
    return new MethodRule(
        ChargeExpression.of(
            where,
            annotation.entity(),
            annotation.resource(),
            annotation.limits(),
            annotation.consume(),
            annotation.settle()),
        maxWait(where, annotation.maxWait()),
        result(where, method.getReturnType()));
  }

  /** The name in errors and in the endpoint. */
  static String where(Method method) {
    return "@RateLimited "
        + method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + "()";
  }

  private static @Nullable Duration maxWait(String where, String written) {
    if (written.isEmpty()) {
      return null;
    }
    try {
      Duration wait = DurationStyle.detectAndParse(written);
      if (!wait.isNegative()) {
        return wait;
      }
    } catch (IllegalArgumentException notADuration) {
      throw new IllegalArgumentException(
          where + " maxWait '" + written + "' is not a duration such as 500ms or 2s", notADuration);
    }
    throw new IllegalArgumentException(where + " maxWait '" + written + "' must not be negative");
  }

  /** By name, because an application need not have Reactor. */
  private static Result result(String where, Class<?> returned) {
    if (returned == CompletionStage.class || returned == CompletableFuture.class) {
      return Result.STAGE;
    }
    if (CompletionStage.class.isAssignableFrom(returned)) {
      throw new IllegalArgumentException(
          where
              + " returns "
              + returned.getName()
              + ": only CompletionStage and CompletableFuture can be limited");
    }
    return switch (returned.getName()) {
      case "reactor.core.publisher.Mono" -> Result.MONO;
      case "reactor.core.publisher.Flux", "org.reactivestreams.Publisher" -> Result.FLUX;
      default -> Result.VALUE;
    };
  }
}
