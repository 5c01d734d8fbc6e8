package dev.millrace.spring.web;

import dev.millrace.adapters.http.HttpRefusal;
import dev.millrace.adapters.http.Problem;
import dev.millrace.client.LeaseView;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** A rule and the request that it holds for. */
final class WebCharge {
  /** Where the filters leave the lease, for handlers that know better what a request costs. */
  static final String LEASE = "millrace.lease";

  private static final int SERVER_ERROR = 500;

  private final WebRule rule;
  private final StandardEvaluationContext context = new StandardEvaluationContext();

  WebCharge(WebRule rule, WebRequest request, Map<String, String> path, BeanResolver beans) {
    this.rule = rule;
    context.setBeanResolver(beans);
    context.setVariable("request", request.request());
    context.setVariable("header", request.header());
    context.setVariable("path", path);
    context.setVariable("principal", request.principal());
    context.setVariable("remote", request.remote());
  }

  @Nullable Duration maxWait() {
    return rule.maxWait();
  }

  /**
   * What to ask the limiter for.
   *
   * @throws UnchargeableException if the request does not say whose it is, or not as it should
   */
  AcquireRequest request() {
    String named = rule.charge().entity().in(context);
    String entity = named == null ? rule.anonymous() : named;
    if (entity == null) {
      throw new UnchargeableException("entity '" + rule.charge().entity() + "' yields nothing");
    }
    try {
      AcquireRequest request = rule.charge().request(entity, context);
      return rule.onUnavailable() == null ? request : request.onUnavailable(rule.onUnavailable());
    } catch (IllegalArgumentException e) {
      throw new UnchargeableException(String.valueOf(e.getMessage()));
    }
  }

  /** Settles with what the answer says. */
  void settle(LeaseView lease, int status, Map<String, String> header) {
    context.setVariable("status", status);
    context.setVariable("responseHeader", header);
    rule.charge().settle(lease, context);
  }

  /**
   * Whether a request is given back: it failed inside before its caller got anything.
   *
   * @param failed whether it ended with an exception
   * @param answered whether the answer was on its way by then
   */
  static boolean isGivenBack(boolean failed, boolean answered, int status) {
    return status >= SERVER_ERROR || (failed && !answered);
  }

  /** Says that what a request cost could not be written; its answer does not fail for that. */
  static void logNotSettled(LeaseView lease, Throwable failure) {
    System.getLogger(WebCharge.class.getName())
        .log(System.Logger.Level.WARNING, "a request was not settled: " + lease, failure);
  }

  /** The request cannot be charged to anybody. */
  static final class UnchargeableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnchargeableException(String detail) {
      super(detail, null, true, false);
    }

    HttpRefusal refusal() {
      return new HttpRefusal(
          Problem.of(400, "invalid-request", "The request is not valid")
              .detail("it cannot be charged: " + getMessage()),
          Map.of());
    }
  }
}
