package dev.millrace.spring.web;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.http.server.PathContainer;

/** The rules of an application, in their order: the first that matches applies. */
public final class WebRules {
  private final List<WebRule> rules;
  private final BeanResolver beans;

  /** These rules, whose expressions may name beans of {@code beans}. */
  public WebRules(List<WebRule> rules, BeanFactory beans) {
    this.rules = List.copyOf(rules);
    this.beans = new BeanFactoryResolver(beans);
  }

  /** The rule that applies to {@code request}, null when none does. */
  @Nullable WebCharge find(WebRequest request) {
    if (isPreflight(request)) {
      return null;
    }
    PathContainer path = PathContainer.parsePath(request.path());
    for (WebRule rule : rules) {
      Map<String, String> variables = rule.match(request.method(), path);
      if (variables != null) {
        return new WebCharge(rule, request, variables, beans);
      }
    }
    return null;
  }

  /** A browser's preflight request, which carries neither keys nor cookies. */
  private static boolean isPreflight(WebRequest request) {
    return request.method().equals("OPTIONS")
        && request.header().containsKey("Origin")
        && request.header().containsKey("Access-Control-Request-Method");
  }
}
