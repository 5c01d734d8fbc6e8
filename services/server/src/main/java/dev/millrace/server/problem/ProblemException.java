package dev.millrace.server.problem;

import dev.millrace.adapters.http.HttpProblem;

/** Ends a request with a problem. Has no stack trace: it says nothing about where. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient HttpProblem problem;

  /** Ends a request with {@code problem}. */
  public ProblemException(HttpProblem problem) {
    super(problem.title() + " " + problem.members(), null, true, false);
    this.problem = problem;
  }

  /** What is answered. */
  public HttpProblem problem() {
    return problem;
  }
}
