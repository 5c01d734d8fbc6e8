package dev.millrace.server.envoy;

import org.jspecify.annotations.Nullable;

/**
 * How much of a limit a descriptor costs.
 *
 * @param limit of which limit
 * @param fixed so much, null for the hits that the proxy tells
 */
public record Charge(String limit, @Nullable Long fixed) {
  /** What a descriptor with so many hits costs; none when it is not to be counted. */
  public long tokens(long hits) {
    return fixed == null || hits == 0 ? hits : fixed;
  }
}
