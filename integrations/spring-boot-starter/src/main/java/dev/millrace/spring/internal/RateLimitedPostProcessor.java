package dev.millrace.spring.internal;

import dev.millrace.RateLimiter;
import dev.millrace.spring.RateLimited;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

/**
 * A bean post-processor that puts a proxy before beans that have a {@link RateLimited} method.
 * Needs no AspectJ. A rule with a mistake fails the start of its bean, and so of the application.
 */
final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<ChargeRegistry> registry;
  private final transient Supplier<RateLimiter> limiter;

  /** Suppliers, because a post-processor is created before the beans that it needs. */
  RateLimitedPostProcessor(Supplier<ChargeRegistry> registry, Supplier<RateLimiter> limiter) {
    this.registry = registry;
    this.limiter = limiter;
    setProxyTargetClass(true);
    setBeforeExistingAdvisors(true); // a refused call must not open a transaction first
    setOrder(Ordered.LOWEST_PRECEDENCE);
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    super.setBeanFactory(beanFactory);
    MethodRules rules = new MethodRules(registry);
    this.advisor =
        new DefaultPointcutAdvisor(rules, new RateLimitedInterceptor(rules, limiter, beanFactory));
  }
}
