package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;

/** Asks for more than there is. */
final class RefusalStep implements DemoStep {
  @Override
  public String title() {
    return "A refusal with every limit, at no cost";
  }

  @Override
  public String story() {
    return "key-42 asks for 9,500 tokens, more than are left. The answer names every limit, passed"
        + " or not, and how long to wait. The limiter saw the bucket less than a second ago, so it"
        + " answers from memory.";
  }

  @Override
  public void play(Stage stage) {
    Rejection rejection =
        stage.refuse(
            Tenants.GATEWAY_KEY.consume("rpm", 1).consume("tpm", 9_500),
            "Nothing was charged of either limit.");

    require(rejection.statuses().size() == 2, "a refusal names both limits");
    require(rejection.passed().get(0).name().equals("rpm"), "rpm would have passed");
    LimitStatus tpm = rejection.primary();
    require(tpm.name().equals("tpm"), "tpm refuses");
    requireExactWait(tpm);
  }

  /**
   * The wait is the time in which the missing tokens return: to the millisecond where a millisecond
   * earns a whole number of millitokens, else one more or less.
   */
  static void requireExactWait(LimitStatus status) {
    long missingMilli = status.requestedMilli() - status.availableMilli();
    long expectedMs = status.limit().refill().timeToEarnMs(missingMilli);
    boolean whole = status.limit().refill().amountMilli() % status.limit().refill().periodMs() == 0;
    require(
        Math.abs(status.retryAfterMs() - expectedMs) <= (whole ? 0 : 1),
        "the wait for " + missingMilli + " millitokens is " + expectedMs + " ms: " + status);
  }
}
