package dev.millrace.server.envoy;

/** What is answered where the mapping, or the table, has no limit for what was asked. */
public enum OnUnknown {
  /** Let it through. */
  ALLOW,
  /** Answer that it is over its limit. */
  DENY
}
