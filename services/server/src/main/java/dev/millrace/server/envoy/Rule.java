package dev.millrace.server.envoy;

import dev.millrace.LimitSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which descriptors draw on which bucket.
 *
 * @param name for metrics and answers; each once in a domain
 * @param match what the entries of a descriptor must be, one by one and no others
 * @param namespace of the bucket; never from a descriptor, because those who call a proxy must not
 *     choose whose limits they use
 * @param entity of the bucket
 * @param resource of the bucket
 * @param charges how much it costs
 * @param limits the limits, null for the stored ones
 * @param shadow whether it is decided, charged and counted but never refused
 * @param onUnavailable what is answered when the table does not decide in time
 */
public record Rule(
    String name,
    List<EntryMatch> match,
    String namespace,
    Template entity,
    Template resource,
    List<Charge> charges,
    @Nullable LimitSet limits,
    boolean shadow,
    OnUnavailable onUnavailable) {
  /** Keeps the lists as they are now. */
  public Rule {
    match = List.copyOf(match);
    charges = List.copyOf(charges);
  }

  /** Whether it is for a descriptor. */
  public boolean matches(RateLimitDescriptor descriptor) {
    if (descriptor.getEntriesCount() != match.size()) {
      return false;
    }
    for (int i = 0; i < match.size(); i++) {
      RateLimitDescriptor.Entry entry = descriptor.getEntries(i);
      if (!match.get(i).matches(entry.getKey(), entry.getValue())) {
        return false;
      }
    }
    return true;
  }
}
