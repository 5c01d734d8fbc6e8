package dev.millrace.spring.web;

/** The choice of responses that show the state of the limits. */
public enum HeaderPolicy {
  /** Every response; one more read of the store for each request. */
  ALWAYS,
  /** Refusals only. */
  REFUSED
}
