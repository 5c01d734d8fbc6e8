package dev.millrace.server.json;

import dev.millrace.adapters.http.HttpProblem;

/** Ends a request with a problem. It has no stack trace: problems are ordinary responses. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient HttpProblem problem;

  private ProblemException(HttpProblem problem) {
    super(problem.title() + " " + problem.members(), null, true, false);
    this.problem = problem;
  }

  /** A problem without details. */
  public static ProblemException of(int status, String type, String title) {
    return new ProblemException(HttpProblem.of(status, type, title));
  }

  /** The same with one more member. */
  public ProblemException with(String name, Object value) {
    return new ProblemException(problem.with(name, value));
  }

  /** The same with a sentence about this one: the error, and its remedy. */
  public ProblemException detail(String detail) {
    return with("detail", detail);
  }

  public HttpProblem problem() {
    return problem;
  }
}
