package dev.millrace.spring.web;

/** When answers say how the limits stand. */
public enum Headers {
  /** In every answer; one more read of the store for each request. */
  ALWAYS,
  /** When a request is refused. */
  REFUSED
}
