package dev.millrace.cli.demo;

/** A step did not do what it says. The demo checks every claim, so that it cannot lie. */
public final class DemoFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DemoFailure(String message) {
    super(message);
  }

  static void require(boolean holds, String claim) {
    if (!holds) {
      throw new DemoFailure("the demo found a claim that does not hold: " + claim);
    }
  }
}
