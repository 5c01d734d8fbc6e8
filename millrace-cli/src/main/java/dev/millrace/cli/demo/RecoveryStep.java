package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.core.decision.Rejection;
import dev.millrace.core.request.AcquireRequest;

/** Empties a bucket, waits as long as it was told, and is admitted. */
final class RecoveryStep implements DemoStep {
  /** Empty to full is two seconds at ten a second. */
  private static final long MAX_WAIT_MS = 2_000;

  @Override
  public String title() {
    return "Waiting exactly as long as told";
  }

  @Override
  public String story() {
    return "key-7 may search 10 times a second, and unused searches add up to a burst of 20. It takes"
        + " all 20 at once, asks for 20 more, waits as told, and asks again.";
  }

  @Override
  public void play(Stage stage) throws InterruptedException {
    AcquireRequest all =
        AcquireRequest.of("key-7", "search").limits(Tenants.SEARCHES).consume("rps", 20);
    stage.acquire(all, Units.CREATION, "A new bucket is full: the burst is there at once.").close();
    require(stage.left("rps").tokensMilli() == 0, "the bucket is empty");

    Rejection rejection =
        stage.refuse(all, "Empty, as the limiter saw a moment ago: no need to ask the store.");
    long waitMs = rejection.retryAfterMs();
    require(waitMs > 0 && waitMs <= MAX_WAIT_MS, "20 searches return within 2 s: " + rejection);
    RefusalStep.requireExactWait(rejection.primary());

    stage.pause(waitMs, "acquire(request, maxWait) would do this for you.");
    stage
        .acquire(all, Units.ONE_WRITE, "Time alone refilled the bucket; no job had to run.")
        .close();
    require(stage.left("rps").consumedMilli() == 40_000, "40 searches are charged");
  }
}
