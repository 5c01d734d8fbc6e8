package dev.millrace.server.envoy;

/** What is answered when the table does not decide in time. */
public enum OnUnavailable {
  /** Let it through, without a charge. */
  ALLOW,
  /** Answer that it is over its limit. */
  DENY,
  /** Answer with an error, so that the proxy's own failure mode decides. */
  FAIL
}
