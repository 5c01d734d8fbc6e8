package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.client.Lease;
import dev.millrace.core.bucket.LimitState;

/** Charges an estimate, and settles what the call really cost. */
final class SettleStep implements DemoStep {
  private static final long ESTIMATE = 500;
  private static final long COST = 730;

  @Override
  public String title() {
    return "An estimate, settled after the call";
  }

  @Override
  public String story() {
    return "What a model call costs is known only afterwards. Charge an estimate of 500 tokens, make"
        + " the call, and settle the difference when it turns out to be 730.";
  }

  @Override
  public void play(Stage stage) {
    Lease lease =
        stage.acquire(
            Tenants.GATEWAY_KEY.consume("rpm", 1).consume("tpm", ESTIMATE),
            Units.ONE_WRITE,
            "The estimate is charged before the call begins.");
    LimitState before = stage.left("tpm");

    stage.settle(
        lease,
        "tpm",
        COST - ESTIMATE,
        "lease.adjust(\"tpm\", 730 - 500), then close(): one write.");
    LimitState after = stage.left("tpm");

    long chargedMilli = (COST - ESTIMATE) * 1_000;
    require(after.consumedMilli() - before.consumedMilli() == chargedMilli, "230 are charged");
    require(before.tokensMilli() - after.tokensMilli() == chargedMilli, "230 leave the balance");
    require(lease.consumed("tpm") == COST, "the lease stands for 730");
  }
}
