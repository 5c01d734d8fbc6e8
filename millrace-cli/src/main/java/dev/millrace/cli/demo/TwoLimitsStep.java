package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.core.request.AcquireRequest;

/** Creates a bucket with two limits and draws on both, warm, with one write. */
final class TwoLimitsStep implements DemoStep {
  @Override
  public String title() {
    return "Two limits, one write";
  }

  @Override
  public String story() {
    return "key-42 may send 100 requests (rpm) and use 10,000 tokens (tpm) a minute on gpt-4."
        + " Both limits live in one item: they are checked and charged together, or not at all.";
  }

  @Override
  public void play(Stage stage) {
    AcquireRequest request = Tenants.GATEWAY_KEY.consume("rpm", 1).consume("tpm", 500);
    stage
        .acquire(
            request,
            Units.CREATION,
            "Nobody had used this bucket yet: one read finds nothing, one write creates it, full,"
                + " less what was asked.")
        .close();
    requireConsumed(stage, 1);

    stage
        .acquire(
            request,
            Units.ONE_WRITE,
            "Now the bucket is known. One write for both limits; what had returned meanwhile was"
                + " credited in it.")
        .close();
    requireConsumed(stage, 2);
  }

  private static void requireConsumed(Stage stage, long requests) {
    require(stage.left("rpm").consumedMilli() == requests * 1_000, requests + " rpm are charged");
    require(stage.left("tpm").consumedMilli() == requests * 500_000, requests + " × 500 tpm are");
  }
}
