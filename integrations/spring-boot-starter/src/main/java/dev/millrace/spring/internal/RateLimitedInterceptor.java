package dev.millrace.spring.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.CallLimiter;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;

/**
 * An interceptor that charges a call before it proceeds, and ends its lease when its result has
 * ended.
 */
final class RateLimitedInterceptor implements MethodInterceptor {
  private final MethodRules rules;
  private final Supplier<RateLimiter> limiter;
  private final BeanResolver beans;
  private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

  RateLimitedInterceptor(MethodRules rules, Supplier<RateLimiter> limiter, BeanFactory beans) {
    this.rules = rules;
    this.limiter = limiter;
    this.beans = new BeanFactoryResolver(beans);
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    MethodRule rule =
        rules.find(invocation.getMethod(), target == null ? null : AopUtils.getTargetClass(target));
    if (rule == null) {
      return invocation.proceed();
    }
    return switch (rule.result()) {
      case VALUE -> value(rule, invocation);
      case STAGE -> stage(rule, invocation);
      case MONO -> calls(rule, invocation).mono();
      case FLUX -> calls(rule, invocation).flux();
    };
  }

  private ReactiveCalls calls(MethodRule rule, MethodInvocation invocation) {
    return new ReactiveCalls(
        limiter.get(), rule, () -> context(invocation), () -> proceedAgain(invocation));
  }

  private @Nullable Object value(MethodRule rule, MethodInvocation invocation) throws Exception {
    EvaluationContext context = context(invocation);
    RateLimiter.Body<Optional<Object>, Exception> work =
        lease -> Optional.ofNullable(proceed(invocation));
    return limited(rule, context)
        .call(work, (lease, result) -> settle(rule, context, lease, result.orElse(null)))
        .orElse(null);
  }

  private CompletableFuture<?> stage(MethodRule rule, MethodInvocation invocation) {
    EvaluationContext context = context(invocation);
    return limited(rule, context)
        .callAsync(
            () -> begun(invocation), (lease, result) -> settle(rule, context, lease, result));
  }

  private static void settle(
      MethodRule rule, EvaluationContext context, Lease lease, @Nullable Object result) {
    context.setVariable("result", result);
    rule.charge().settle(lease, context);
  }

  @SuppressWarnings("unchecked") // the value of a method that is declared to return a stage
  private static CompletionStage<@Nullable Object> begun(MethodInvocation invocation) {
    try {
      Object stage = proceed(invocation);
      return stage == null
          ? CompletableFuture.completedFuture(null)
          : (CompletionStage<@Nullable Object>) stage;
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CallLimiter limited(MethodRule rule, EvaluationContext context) {
    return CallLimiter.by(limiter.get(), request(rule, context)).waiting(rule.maxWait());
  }

  static AcquireRequest request(MethodRule rule, EvaluationContext context) {
    String entity = rule.charge().entity().in(context);
    if (entity == null) {
      throw new IllegalArgumentException("entity '" + rule.charge().entity() + "' yields nothing");
    }
    return rule.charge().request(entity, context);
  }

  private EvaluationContext context(MethodInvocation invocation) {
    Object target = invocation.getThis();
    Class<?> type = target == null ? null : AopUtils.getTargetClass(target);
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(
            target == null ? invocation : target,
            AopUtils.getMostSpecificMethod(invocation.getMethod(), type),
            invocation.getArguments(),
            names);
    context.setBeanResolver(beans);
    return context;
  }

  /**
   * A publisher may be subscribed to many times, an invocation proceeds once: each subscription has
   * its own.
   */
  private static @Nullable Object proceedAgain(MethodInvocation invocation) {
    try {
      return proceed(
          invocation instanceof ProxyMethodInvocation proxied
              ? proxied.invocableClone()
              : invocation);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new UndeclaredThrowableException(e);
    }
  }

  private static @Nullable Object proceed(MethodInvocation invocation) throws Exception {
    try {
      return invocation.proceed();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e);
    }
  }
}
