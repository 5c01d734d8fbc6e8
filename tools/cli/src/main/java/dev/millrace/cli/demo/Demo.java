package dev.millrace.cli.demo;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.demo.DemoStage.Units;
import dev.millrace.cli.table.ServiceEndpoint;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedDynamo;
import java.util.List;
import java.util.Locale;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The steps of the demo, played on an engine that ends with it. */
public final class Demo {
  /** A key of an LLM gateway with two limits, as in the Java API guide. */
  static final AcquireRequest GATEWAY_KEY =
      AcquireRequest.of("key-42", "gpt-4")
          .limits(Limit.perMinute("rpm", 100), Limit.perMinute("tpm", 10_000));

  private static final String TABLE = "limits";

  private static final List<Step> STEPS =
      List.of(
          new Step(
              "Two limits, one write",
              "key-42 may send 100 requests (rpm) and use 10,000 tokens (tpm) a minute on gpt-4."
                  + " Both limits live in one item: they are checked and charged together, or not"
                  + " at all.",
              Demo::twoLimits),
          new Step(
              "An estimate, settled after the call",
              "What a model call costs is known only afterwards. Charge an estimate of 500 tokens,"
                  + " make the call, and settle the difference when it turns out to be 730.",
              Demo::settle),
          new Step(
              "A refusal with every limit, at no cost",
              "key-42 asks for 9,500 tokens, more than are left. The answer names every limit,"
                  + " passed or not, and how long to wait. The limiter saw the bucket less than a"
                  + " second ago, so it answers from memory.",
              Demo::refuse),
          new Step(
              "Waiting exactly as long as told",
              "key-7 may search 10 times a second, and unused searches add up to a burst of 20. It"
                  + " takes all 20 at once, asks for 20 more, waits as told, and asks again.",
              Demo::recover),
          new Step(
              "A bucket in debt",
              "key-8 has 600 tokens a minute, 10 a second. A call estimated at 100 tokens costs"
                  + " 1,100. The tokens are spent, so they are charged: the balance goes below zero,"
                  + " and whoever comes next waits until the debt is paid.",
              Demo::goIntoDebt));

  private Demo() {}

  /** A part of the demo: its title, its explanation, and its actions. */
  private record Step(String title, String story, Play play) {}

  /** The actions of a step, with checks of their results. */
  private interface Play {
    void on(DemoStage stage) throws InterruptedException;
  }

  /**
   * Plays the demo.
   *
   * @throws CommandFailure if a step did not do what it says
   */
  public static void run(DemoPrinter printer) throws InterruptedException {
    long startedNanos = System.nanoTime();
    printer.progress("Starting DynamoDB Local, in memory …");
    try (EmbeddedDynamo engine = EmbeddedDynamo.inMemory().onProgress(printer::progress).start();
        DynamoDbClient client = new ServiceEndpoint(engine.endpoint(), null).dynamo()) {
      TableAdmin.of(client, TABLE).createIfMissing();
      try (DemoStage stage = new DemoStage(DynamoStore.of(client, TABLE), printer)) {
        double seconds = (System.nanoTime() - startedNanos) / 1e9;
        printer.progress(
            String.format(
                Locale.ROOT,
                "Ready after %.1f s, with a new table \"%s\". Nothing is kept.",
                seconds,
                TABLE));
        for (int i = 0; i < STEPS.size(); i++) {
          Step step = STEPS.get(i);
          printer.begin(i + 1, step.title, step.story);
          step.play.on(stage);
          printer.end(i + 1, step.title, stage.end());
        }
        printer.closing();
      }
    }
  }

  static void require(boolean holds, String claim) {
    if (!holds) {
      throw failure(claim);
    }
  }

  static CommandFailure failure(String claim) {
    return new CommandFailure(
        ExitCodes.FAILED, "the demo found a claim that does not hold: " + claim);
  }

  private static void twoLimits(DemoStage stage) {
    AcquireRequest request = GATEWAY_KEY.consume("rpm", 1).consume("tpm", 500);
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

  private static void requireConsumed(DemoStage stage, long requests) {
    require(stage.left("rpm").consumedMilli() == requests * 1_000, requests + " rpm are charged");
    require(stage.left("tpm").consumedMilli() == requests * 500_000, requests + " × 500 tpm are");
  }

  private static void settle(DemoStage stage) {
    Lease lease =
        stage.acquire(
            GATEWAY_KEY.consume("rpm", 1).consume("tpm", 500),
            Units.ONE_WRITE,
            "The estimate is charged before the call begins.");
    LimitState before = stage.left("tpm");

    stage.settle(lease, "tpm", 230, "lease.adjust(\"tpm\", 730 - 500), then close(): one write.");
    LimitState after = stage.left("tpm");

    require(after.consumedMilli() - before.consumedMilli() == 230_000, "230 are charged");
    require(before.tokensMilli() - after.tokensMilli() == 230_000, "230 leave the balance");
    require(lease.consumed("tpm") == 730, "the lease stands for 730");
  }

  private static void refuse(DemoStage stage) {
    Rejection rejection =
        stage.refuse(
            GATEWAY_KEY.consume("rpm", 1).consume("tpm", 9_500),
            "Nothing was charged of either limit.");

    require(rejection.statuses().size() == 2, "a refusal names both limits");
    require(rejection.passed().get(0).name().equals("rpm"), "rpm would have passed");
    require(rejection.primary().name().equals("tpm"), "tpm refuses");
    requireExactWait(rejection.primary());
  }

  private static void recover(DemoStage stage) throws InterruptedException {
    AcquireRequest all =
        AcquireRequest.of("key-7", "search")
            .limits(Limit.perSecond("rps", 10).withBurst(20))
            .consume("rps", 20);
    stage.acquire(all, Units.CREATION, "A new bucket is full: the burst is there at once.").close();
    require(stage.left("rps").tokensMilli() == 0, "the bucket is empty");

    Rejection rejection =
        stage.refuse(all, "Empty, as the limiter saw a moment ago: no need to ask the store.");
    long waitMs = rejection.retryAfterMs();
    require(waitMs > 0 && waitMs <= 2_000, "20 searches return within 2 s: " + rejection);
    requireExactWait(rejection.primary());

    stage.pause(waitMs, "acquire(request, maxWait) would do this for you.");
    stage
        .acquire(all, Units.ONE_WRITE, "Time alone refilled the bucket; no job had to run.")
        .close();
    require(stage.left("rps").consumedMilli() == 40_000, "40 searches are charged");
  }

  private static void goIntoDebt(DemoStage stage) {
    AcquireRequest request =
        AcquireRequest.of("key-8", "gpt-4").limits(Limit.perMinute("tpm", 600));
    Lease lease =
        stage.acquire(request.consume("tpm", 100), Units.CREATION, "600 less the estimate.");
    stage.settle(lease, "tpm", 1_000, "Settling is never refused.");
    require(stage.left("tpm").tokensMilli() == -500_000, "the balance is -500");

    Rejection one =
        stage.refuse(request.consume("tpm", 1), "The debt is paid first, then one token.");
    require(one.statuses().size() == 1, "there is one limit: " + one);
    require(one.primary().availableMilli() < 0, "the balance is below zero");
    requireExactWait(one.primary());

    Rejection none =
        stage.refuse(
            request.consume("tpm", 0),
            "Asking for nothing asks only that there is no debt. There is.");
    requireExactWait(none.primary());
    require(one.retryAfterMs() > none.retryAfterMs(), "one token takes longer than none");
  }

  /**
   * The wait is the time in which the missing tokens return: to the millisecond where a millisecond
   * earns a whole number of millitokens, else one more or less.
   */
  private static void requireExactWait(LimitStatus status) {
    long missingMilli = status.requestedMilli() - status.availableMilli();
    long expectedMs = status.limit().refill().timeToEarnMs(missingMilli);
    boolean whole = status.limit().refill().amountMilli() % status.limit().refill().periodMs() == 0;
    require(
        Math.abs(status.retryAfterMs() - expectedMs) <= (whole ? 0 : 1),
        "the wait for " + missingMilli + " millitokens is " + expectedMs + " ms: " + status);
  }
}
