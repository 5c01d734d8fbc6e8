package dev.millrace.spring.method;

import dev.millrace.RateLimiter;
import dev.millrace.spring.ChargeRegistry;
import dev.millrace.spring.RateLimited;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

/**
 * A bean post-processor that puts a proxy before beans that have a {@link RateLimited} method.
 * Needs no AspectJ. A rule with a mistake fails the start of its bean, and so of the application.
 */
public final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<ChargeRegistry> book;
  private final transient Supplier<RateLimiter> limiter;

  /**
   * Limits with the result of {@code limiter} from the first call on, and registers rules in {@code
   * book}: a post-processor is created before the beans that it needs.
   */
  public RateLimitedPostProcessor(Supplier<ChargeRegistry> book, Supplier<RateLimiter> limiter) {
    this.book = book;
    this.limiter = limiter;
    setProxyTargetClass(true);
    setBeforeExistingAdvisors(true); // a refused call must not open a transaction first
    setOrder(Ordered.LOWEST_PRECEDENCE);
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    super.setBeanFactory(beanFactory);
    MethodRules rules = new MethodRules(book);
    this.advisor =
        new DefaultPointcutAdvisor(
            new Limited(rules), new RateLimitedInterceptor(rules, limiter, beanFactory));
  }

  private static final class Limited extends StaticMethodMatcherPointcut {
    private final MethodRules rules;

    Limited(MethodRules rules) {
      this.rules = rules;
    }

    @Override
    public boolean matches(Method method, Class<?> target) {
      return rules.find(method, target) != null;
    }
  }
}
