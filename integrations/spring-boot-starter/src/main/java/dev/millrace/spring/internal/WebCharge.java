package dev.millrace.spring.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.adapters.CostSettler;
import dev.millrace.adapters.http.HttpProblem;
import dev.millrace.adapters.http.HttpRefusal;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** A rule applied to a request. */
final class WebCharge {
  /** The request attribute of the lease, for handlers that know the cost of a request better. */
  static final String LEASE = "millrace.lease";

  private static final int SERVER_ERROR = 500;

  private final WebRule rule;
  private final StandardEvaluationContext context = new StandardEvaluationContext();

  WebCharge(WebRule rule, WebRequest request, Map<String, String> path, BeanResolver beans) {
    this.rule = rule;
    context.setBeanResolver(beans);
    context.setVariable("request", request.request());
    context.setVariable("header", request.header().get());
    context.setVariable("path", path);
    context.setVariable("principal", request.principal().get());
    context.setVariable("remote", request.remote());
  }

  @Nullable Duration maxWait() {
    return rule.maxWait();
  }

  /**
   * The acquire request.
   *
   * @throws UnchargeableException if the request yields no entity, or an invalid one
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

  /** Settles with the status and the header of the response. */
  CostSettler<Object> settling(int status, Supplier<Map<String, String>> header) {
    return (lease, response) -> {
      context.setVariable("status", status);
      context.setVariable("responseHeader", header.get());
      rule.charge().settle(lease, context);
    };
  }

  /**
   * Whether a request is refunded: it failed inside before its client got anything.
   *
   * @param failed whether it ended with an exception
   * @param answered whether the response was begun by then
   */
  static boolean isRefunded(boolean failed, boolean answered, int status) {
    return status >= SERVER_ERROR || (failed && !answered);
  }

  /** Logs that the cost of a request could not be written; its response does not fail for that. */
  static void logNotSettled(Lease lease, Throwable failure) {
    System.getLogger(WebCharge.class.getName())
        .log(System.Logger.Level.WARNING, "a request was not settled: " + lease, failure);
  }

  /** The request has no entity to charge. */
  static final class UnchargeableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnchargeableException(String detail) {
      super(detail, null, true, false);
    }

    HttpRefusal refusal() {
      return new HttpRefusal(
          HttpProblem.of(400, "invalid-request", "The request is not valid")
              .detail("it cannot be charged: " + getMessage()),
          Map.of());
    }
  }
}
