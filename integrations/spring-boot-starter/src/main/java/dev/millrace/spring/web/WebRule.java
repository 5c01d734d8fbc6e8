package dev.millrace.spring.web;

import dev.millrace.OnUnavailable;
import dev.millrace.spring.expression.ChargeExpression;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that charges matching requests.
 *
 * @param paths matched as Spring matches those of controllers
 * @param methods in capitals; any when empty
 * @param charge the charge
 * @param anonymous the charged entity for requests that name none, null to refuse them
 * @param maxWait longest wait, null for none
 * @param onUnavailable the behaviour without the store, null as the limiter does
 */
public record WebRule(
    List<PathPattern> paths,
    Set<String> methods,
    ChargeExpression charge,
    @Nullable String anonymous,
    @Nullable Duration maxWait,
    @Nullable OnUnavailable onUnavailable) {
  /** Copies the lists. */
  public WebRule {
    paths = List.copyOf(paths);
    methods =
        methods.stream()
            .map(method -> method.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The variables of the path that matches, null when none does. */
  @Nullable Map<String, String> match(String method, PathContainer path) {
    if (!methods.isEmpty() && !methods.contains(method)) {
      return null;
    }
    for (PathPattern pattern : paths) {
      PathPattern.PathMatchInfo match = pattern.matchAndExtract(path);
      if (match != null) {
        return match.getUriVariables();
      }
    }
    return null;
  }
}
