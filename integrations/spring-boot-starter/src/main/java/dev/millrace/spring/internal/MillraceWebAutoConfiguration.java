package dev.millrace.spring.internal;

import dev.millrace.RateLimiter;
import dev.millrace.spring.MillraceProperties;
import dev.millrace.spring.RefusalAdvice;
import dev.millrace.spring.WebRules;
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
  @Bean
  @ConditionalOnMissingBean
  RefusalAdvice millraceRefusalAdvice() {
    return new RefusalAdvice();
  }

  @Bean
  @ConditionalOnMissingBean
  WebRules millraceWebRules(MillraceProperties properties) {
    return new WebRules(properties.web().rules());
  }

  @Bean
  WebRuleTable millraceWebRuleTable(WebRules rules, ChargeRegistry registry, BeanFactory beans) {
    return new WebRuleTable(rules, registry, beans);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass({Filter.class, OncePerRequestFilter.class})
  @ConditionalOnProperty(prefix = "millrace.web", name = "enabled", matchIfMissing = true)
  static class ServletConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "millraceFilter")
    FilterRegistrationBean<MillraceFilter> millraceFilter(
        MillraceProperties properties, ObjectProvider<RateLimiter> limiter, WebRuleTable rules) {
      FilterRegistrationBean<MillraceFilter> registration =
          new FilterRegistrationBean<>(
              new MillraceFilter(limiter::getObject, rules, properties.web().headers()));
      registration.setOrder(properties.web().order());
      registration.setEnabled(!rules.isEmpty());
      return registration;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass(WebFilter.class)
  @ConditionalOnProperty(prefix = "millrace.web", name = "enabled", matchIfMissing = true)
  static class ReactiveConfiguration {
    @Bean
    MillraceWebFilter millraceWebFilter(
        MillraceProperties properties, ObjectProvider<RateLimiter> limiter, WebRuleTable rules) {
      return new MillraceWebFilter(
          limiter::getObject, rules, properties.web().headers(), properties.web().order());
    }
  }
}
