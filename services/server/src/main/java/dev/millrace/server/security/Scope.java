package dev.millrace.server.security;

/** A set of operations that a caller may use; {@link #ADMIN} includes the others. */
public enum Scope {
  /** Acquire tokens, and settle. */
  ACQUIRE,
  /** Read limits, balances, usage and audit, and preview changes. */
  READ,
  /** Change entities, limits and everything else that is stored. */
  ADMIN
}
