package dev.millrace.server.problem;

import dev.millrace.adapters.http.Problem;

/** Ends a request with a problem. Has no stack trace: it says nothing about where. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  /** Ends a request with {@code problem}. */
  public ProblemException(Problem problem) {
    super(problem.title() + " " + problem.members(), null, true, false);
    this.problem = problem;
  }

  /** What is answered. */
  public Problem problem() {
    return problem;
  }
}
