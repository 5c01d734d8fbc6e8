package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.client.Lease;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.request.AcquireRequest;

/** Settles far more than was estimated. */
final class DebtStep implements DemoStep {
  private static final AcquireRequest REQUEST =
      AcquireRequest.of("key-8", "gpt-4").limits(Tenants.SMALL_BUDGET);

  @Override
  public String title() {
    return "A bucket in debt";
  }

  @Override
  public String story() {
    return "key-8 has 600 tokens a minute, 10 a second. A call estimated at 100 tokens costs 1,100."
        + " The tokens are spent, so they are charged: the balance goes below zero, and whoever"
        + " comes next waits until the debt is paid.";
  }

  @Override
  public void play(Stage stage) {
    Lease lease =
        stage.acquire(REQUEST.consume("tpm", 100), Units.CREATION, "600 less the estimate.");
    stage.settle(lease, "tpm", 1_000, "Settling is never refused.");
    require(stage.left("tpm").tokensMilli() == -500_000, "the balance is -500");

    LimitStatus one =
        only(stage.refuse(REQUEST.consume("tpm", 1), "The debt is paid first, then one token."));
    require(one.availableMilli() < 0, "the balance is below zero");
    RefusalStep.requireExactWait(one);

    LimitStatus none =
        only(
            stage.refuse(
                REQUEST.consume("tpm", 0),
                "Asking for nothing asks only that there is no debt. There is."));
    RefusalStep.requireExactWait(none);
    require(one.retryAfterMs() > none.retryAfterMs(), "one token takes longer than none");
  }

  private static LimitStatus only(Rejection rejection) {
    require(rejection.statuses().size() == 1, "there is one limit: " + rejection);
    return rejection.primary();
  }
}
