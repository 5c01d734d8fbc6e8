package dev.millrace.server.envoy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules for one domain of a proxy.
 *
 * @param name its name
 * @param onUnknown what is answered for descriptors that no rule is for
 * @param headers whether answers have {@code x-ratelimit-*} headers for the client
 * @param rules the first that matches a descriptor decides
 */
public record Domain(String name, OnUnknown onUnknown, boolean headers, List<Rule> rules) {
  /** Keeps the rules as they are now. */
  public Domain {
    rules = List.copyOf(rules);
  }

  /** The rule for a descriptor, null when there is none. */
  public @Nullable Rule ruleFor(RateLimitDescriptor descriptor) {
    for (Rule rule : rules) {
      if (rule.matches(descriptor)) {
        return rule;
      }
    }
    return null;
  }
}
