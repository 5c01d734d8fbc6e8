package dev.millrace.server.security;

/** What a caller may do. One that may administer may do everything. */
public enum Scope {
  /** Ask for tokens, and settle. */
  ACQUIRE,
  /** See limits, balances, usage and audit; try nothing out. */
  READ,
  /** Change entities, limits and whatever else is stored. */
  ADMIN
}
