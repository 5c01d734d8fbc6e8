package dev.millrace.server.envoy;

import dev.millrace.LimitSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of descriptors to buckets, as {@link MappingReader} reads it.
 *
 * @param onUnknown the answer for a domain without rules
 * @param nearRatio the used part of a limit from which a decision counts as near it
 * @param domains by name
 */
public record EnvoyMapping(UnknownPolicy onUnknown, double nearRatio, Map<String, Domain> domains) {
  /** The mapping of a server without a file: no domain, everything is let through. */
  static final EnvoyMapping NONE = new EnvoyMapping(UnknownPolicy.ALLOW, 0.8, Map.of());

  public EnvoyMapping {
    domains = Collections.unmodifiableMap(new LinkedHashMap<>(domains));
  }

  /** The answer where neither the mapping nor the table has a limit. */
  public enum UnknownPolicy {
    /** Let through. */
    ALLOW,
    /** Over the limit. */
    DENY
  }

  /** The answer when the table does not decide in time. */
  public enum FailurePolicy {
    /** Let through, without a charge. */
    ALLOW,
    /** Over the limit. */
    DENY,
    /** An error, so that the proxy's own failure mode decides. */
    FAIL
  }

  /**
   * The rules for one domain of a proxy.
   *
   * @param onUnknown the answer for descriptors without a rule
   * @param headers whether answers have {@code x-ratelimit-*} headers for the client
   * @param rules the first that matches a descriptor decides
   */
  public record Domain(String name, UnknownPolicy onUnknown, boolean headers, List<Rule> rules) {
    public Domain {
      rules = List.copyOf(rules);
    }

    @Nullable Rule ruleFor(RateLimitDescriptor descriptor) {
      return rules.stream().filter(rule -> rule.matches(descriptor)).findFirst().orElse(null);
    }
  }

  /**
   * A rule that maps matching descriptors to a bucket.
   *
   * @param name for metrics; unique in its domain
   * @param match the entries of a descriptor, one by one and no others
   * @param namespace of the bucket; never from a descriptor, because callers of a proxy must not
   *     choose whose limits they use
   * @param limits null for the stored ones
   * @param shadow whether it is decided, charged and counted but never refused
   */
  public record Rule(
      String name,
      List<EntryMatch> match,
      String namespace,
      NameTemplate entity,
      NameTemplate resource,
      List<Charge> charges,
      @Nullable LimitSet limits,
      boolean shadow,
      FailurePolicy onUnavailable) {
    public Rule {
      match = List.copyOf(match);
      charges = List.copyOf(charges);
    }

    boolean matches(RateLimitDescriptor descriptor) {
      return descriptor.getEntriesCount() == match.size()
          && IntStream.range(0, match.size())
              .allMatch(i -> match.get(i).matches(descriptor.getEntries(i)));
    }
  }

  /**
   * A pattern for one entry of a descriptor.
   *
   * @param value a prefix if it ends with {@code *}, null for any value
   */
  public record EntryMatch(String key, @Nullable String value) {
    boolean matches(RateLimitDescriptor.Entry entry) {
      if (value == null || !key.equals(entry.getKey())) {
        return key.equals(entry.getKey());
      }
      return value.endsWith("*")
          ? entry.getValue().startsWith(value.substring(0, value.length() - 1))
          : value.equals(entry.getValue());
    }
  }

  /**
   * The cost of a descriptor in tokens of one limit.
   *
   * @param fixed null for the hits that the proxy reports
   */
  public record Charge(String limit, @Nullable Long fixed) {
    /** The tokens for so many hits; none for a descriptor that is not to be counted. */
    long tokens(long hits) {
      return fixed == null || hits == 0 ? hits : fixed;
    }
  }
}
