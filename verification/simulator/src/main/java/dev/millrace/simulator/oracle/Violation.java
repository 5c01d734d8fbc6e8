package dev.millrace.simulator.oracle;

/** A promise that was not kept. Thrown at the event that broke it, so that a trace ends there. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Promise promise;

  /** {@code promise} was broken; {@code message} says by what and by how much. */
  public Violation(Promise promise, String message) {
    super(promise + ": " + message);
    this.promise = promise;
  }

  /** Something was thrown that is no answer to {@code asked}. */
  public static Violation bug(Object asked, Throwable thrown) {
    Violation violation = new Violation(Promise.NO_BUGS, asked + " threw " + thrown);
    violation.initCause(thrown);
    return violation;
  }

  /** Which promise. */
  public Promise promise() {
    return promise;
  }
}
