package dev.millrace.spring.boot;

import dev.millrace.RateLimiter;
import dev.millrace.spring.ChargeRegistry;
import dev.millrace.spring.web.MillraceFilter;
import dev.millrace.spring.web.MillraceWebFilter;
import dev.millrace.spring.web.RefusalAdvice;
import dev.millrace.spring.web.WebRules;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.WebFilter;

/**
 * The auto-configuration of responses to refusals and, where there are rules, of the filter that
 * charges requests.
 */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(RateLimiter.class)
@ConditionalOnClass(RestControllerAdvice.class)
public class MillraceWebAutoConfiguration {
  /** Answers refusals that controllers throw. */
  @Bean
  @ConditionalOnMissingBean
  RefusalAdvice millraceRefusalAdvice() {
    return new RefusalAdvice();
  }

  /** The rules, read while the application starts. */
  @Bean
  @ConditionalOnMissingBean
  WebRules millraceWebRules(MillraceProperties properties, ChargeRegistry book, BeanFactory beans) {
    return new WebRules(PropertyRules.read(properties.web().rules(), book), beans);
  }

  /** For servlets. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Filter.class, OncePerRequestFilter.class})
  @ConditionalOnProperty(prefix = "millrace.web", name = "enabled", matchIfMissing = true)
  static class ServletConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "millraceFilter")
    FilterRegistrationBean<MillraceFilter> millraceFilter(
        MillraceProperties properties, ObjectProvider<RateLimiter> limiter, WebRules rules) {
      FilterRegistrationBean<MillraceFilter> registration =
          new FilterRegistrationBean<>(
              new MillraceFilter(limiter::getObject, rules, properties.web().headers()));
      registration.setOrder(properties.web().order());
      registration.setEnabled(!properties.web().rules().isEmpty());
      return registration;
    }
  }

  /** For WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass(WebFilter.class)
  @ConditionalOnProperty(prefix = "millrace.web", name = "enabled", matchIfMissing = true)
  static class ReactiveConfiguration {
    @Bean
    @ConditionalOnMissingBean
    MillraceWebFilter millraceWebFilter(
        MillraceProperties properties, ObjectProvider<RateLimiter> limiter, WebRules rules) {
      return new MillraceWebFilter(
          limiter::getObject, rules, properties.web().headers(), properties.web().order());
    }
  }
}
