package dev.millrace.server.adminapi;

/** What a route answers; may block. */
@FunctionalInterface
interface Answer {
  /**
   * What is written as JSON, or a {@link Created}.
   *
   * @throws RuntimeException when it cannot be answered; the server says so as a problem
   */
  Object to(Call call);

  /** An answer that says that something is there now that was not. */
  record Created(Object body) {}
}
