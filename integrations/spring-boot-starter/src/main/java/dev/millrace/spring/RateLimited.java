package dev.millrace.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Charges each call of a method before it begins, settles it when it has returned and refunds it
 * when it throws. On a type: each of its public methods. Can be used as a meta-annotation.
 *
 * <pre>{@code
 * @RateLimited(
 *     entity = "#key",
 *     resource = "gpt-4",
 *     limits = {"rpm:100/min", "tpm:10000/min"},
 *     consume = {"rpm", "tpm=#prompt.length() / 4"},
 *     settle = "tpm=#result.tokens()")
 * Answer ask(String key, String prompt) { … }
 * }</pre>
 *
 * <p>Entity and resource are texts: a plain name is that name, everything else an expression of
 * Spring's language. In it, {@code #key} is the argument of that name, {@code #root} the object and
 * {@code @bean} a bean.
 *
 * <p>A method that returns a {@code CompletionStage} is charged without blocking and ends with its
 * stage. One that returns a {@code Mono} or {@code Flux} is charged on subscription, for each
 * subscriber: cancelled, it is settled; failed, it is settled when elements were delivered already,
 * else refunded.
 *
 * <p>A refusal is thrown as {@link dev.millrace.RateLimitExceededException}, which web applications
 * answer with 429. Only calls from outside pass the proxy: a method that calls another of the same
 * object is not limited by it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface RateLimited {
  /** The charged entity: a name or an expression. */
  String entity();

  /** The resource: a name or an expression. */
  String resource();

  /**
   * The limits in the short notation: {@code rpm:100/min}, {@code tpm:10000/min:20000}. Without any
   * the stored ones apply.
   */
  String[] limits() default {};

  /**
   * The charge before the call: {@code limit=expression}, or a limit's name alone for one token.
   * Without any it is one token of each of {@link #limits}.
   */
  String[] consume() default {};

  /**
   * The real cost of the call: {@code limit=expression}, in which {@code #result} is the returned
   * value. Of a {@code Flux}, {@code #result} is the last element and {@code #count} the number of
   * elements.
   */
  String[] settle() default {};

  /**
   * Longest time to wait for tokens, as in {@code 500ms} or {@code 2s}; without it calls do not
   * wait.
   */
  String maxWait() default "";
}
