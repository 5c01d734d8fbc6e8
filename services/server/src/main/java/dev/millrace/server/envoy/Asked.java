package dev.millrace.server.envoy;

import dev.millrace.core.internal.NameRules;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A descriptor and what it draws on.
 *
 * @param index which of the request's
 * @param rule the rule that is for it
 * @param entity whose bucket
 * @param resource of what
 * @param tokens how much of which limit
 */
record Asked(int index, Rule rule, String entity, String resource, Map<String, Long> tokens) {
  static Asked of(int index, Rule rule, RateLimitDescriptor descriptor, long hits) {
    Map<String, String> values = new HashMap<>();
    descriptor.getEntriesList().forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    Map<String, Long> tokens = new LinkedHashMap<>();
    rule.charges().forEach(charge -> tokens.put(charge.limit(), charge.tokens(hits)));
    return new Asked(
        index,
        rule,
        rule.entity().render(values, NameRules::requireEntityId),
        rule.resource().render(values, NameRules::requireResource),
        tokens);
  }
}
