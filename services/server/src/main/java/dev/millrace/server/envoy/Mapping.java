package dev.millrace.server.envoy;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the mapping file says.
 *
 * @param onUnknown what is answered for a domain that is not in it
 * @param nearRatio from which used part of a limit on a decision counts as near it
 * @param domains by name
 */
public record Mapping(OnUnknown onUnknown, double nearRatio, Map<String, Domain> domains) {
  /** No domain, everything let through: what holds before there is a file. */
  public static final Mapping NONE = new Mapping(OnUnknown.ALLOW, 0.8, Map.of());

  /** Keeps the domains as they are now, in their order. */
  public Mapping {
    domains = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(domains));
  }
}
