package dev.millrace.spring.internal;

import dev.millrace.spring.RateLimited;
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

  /** Parses {@code annotation}; an error names the method, {@code where}. */
  static MethodRule of(String where, Method method, RateLimited annotation) {
    return new MethodRule(
        ChargeExpression.of(
            where,
            annotation.entity(),
            annotation.resource(),
            annotation.limits(),
            annotation.consume(),
            annotation.settle()),
        annotation.maxWait().isEmpty() ? null : maxWait(where, annotation.maxWait()),
        result(where, method.getReturnType()));
  }

  private static Duration maxWait(String where, String written) {
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
