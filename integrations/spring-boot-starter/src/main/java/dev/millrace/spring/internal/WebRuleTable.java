package dev.millrace.spring.internal;

import dev.millrace.spring.MillraceProperties;
import dev.millrace.spring.WebRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.http.server.PathContainer;

/** The parsed rules of an application, in their order: the first that matches applies. */
final class WebRuleTable {
  private final List<WebRule> rules = new ArrayList<>();
  private final BeanResolver beans;

  /**
   * Parses {@code written}, whose expressions may name {@code beans}, and registers each charge.
   */
  WebRuleTable(WebRules written, ChargeRegistry registry, BeanFactory beans) {
    this.beans = new BeanFactoryResolver(beans);
    for (MillraceProperties.Rule rule : written.rules()) {
      String where = "millrace.web.rules[" + rules.size() + "]";
      WebRule parsed = WebRule.of(where, rule);
      rules.add(parsed);
      registry.add(where, parsed.charge());
    }
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** The charge of {@code request}, null when no rule applies. */
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
        && request.header().get().containsKey("Origin")
        && request.header().get().containsKey("Access-Control-Request-Method");
  }
}
