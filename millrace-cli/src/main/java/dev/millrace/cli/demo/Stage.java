package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.cli.demo.Action.Answer;
import dev.millrace.client.Acquisition;
import dev.millrace.client.Lease;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.request.AcquireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What a step can do. Each action is metered, checked for its cost, and shown. */
final class Stage {
  /** The limiter refuses for a second from what it saw; by then it surely has to. */
  private static final long SURELY_FRESH_MS = 900;

  /** How often a wait is shown. */
  private static final long TICK_MS = 100;

  /** A wait is this much longer: the clock may be adjusted while we sleep. */
  private static final long MARGIN_MS = 5;

  private final RateLimiter limiter;
  private final StoreMeter meter;
  private final DemoView view;
  private final List<Action> actions = new ArrayList<>();

  Stage(RateLimiter limiter, StoreMeter meter, DemoView view) {
    this.limiter = limiter;
    this.meter = meter;
    this.view = view;
  }

  /** Acquires; that it is admitted and what it costs is checked. */
  Lease acquire(AcquireRequest request, Units expected, String remark) {
    Acquisition answer = limiter.tryAcquire(request);
    require(
        answer instanceof Acquisition.Granted,
        "the request " + request + " is admitted: " + answer);
    meter(new Draft("acquire", request.tokens(), Answer.ADMITTED, remark), expected);
    return ((Acquisition.Granted) answer).lease();
  }

  /** Adjusts one limit of a lease and closes it: one write. */
  void settle(Lease lease, String limit, long delta, String remark) {
    lease.adjust(limit, delta);
    lease.close();
    meter(new Draft("adjust", Map.of(limit, delta), Answer.SETTLED, remark), Units.ONE_WRITE);
  }

  /**
   * Acquires; that it is refused, at no cost, is checked. Only when the machine was so slow that
   * the limiter saw the bucket a second ago may it read.
   */
  Rejection refuse(AcquireRequest request, String remark) {
    long seenNanos = meter.lastCallNanos();
    Acquisition answer = limiter.tryAcquire(request);
    long ageMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - seenNanos);
    require(
        answer instanceof Acquisition.Refused, "the request " + request + " is refused: " + answer);
    Rejection rejection = ((Acquisition.Refused) answer).rejection();
    StoreMeter.Reading reading = meter.take();
    boolean slow = ageMs >= SURELY_FRESH_MS && reading.units().equals(Units.ONE_READ);
    requireUnits("a refusal", slow ? Units.ONE_READ : Units.NONE, reading.units());
    String explained = slow ? remark + " (A second had passed, so it took one read.)" : remark;
    add(
        new Draft("acquire", request.tokens(), Answer.REFUSED, explained),
        Optional.of(rejection),
        reading);
    return rejection;
  }

  /** Really waits. */
  void pause(long waitMs, String remark) throws InterruptedException {
    long totalMs = waitMs + MARGIN_MS;
    long startedNanos = System.nanoTime();
    long doneMs = 0;
    while (doneMs < totalMs) {
      view.waiting(doneMs, totalMs);
      Thread.sleep(Math.min(TICK_MS, totalMs - doneMs));
      doneMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    }
    meter(new Draft("wait", Map.of(), Answer.WAITED, remark, doneMs), Units.NONE);
  }

  /** The limit as the last action left it in the store. */
  LimitState left(String limit) {
    for (LimitState state : actions.get(actions.size() - 1).balances()) {
      if (state.name().equals(limit)) {
        return state;
      }
    }
    throw new DemoFailure("the last action wrote no limit " + limit);
  }

  /** Everything that was done; that nothing was spent beside it is checked. */
  List<Action> end() {
    requireUnits("what is not shown", Units.NONE, meter.take().units());
    return actions;
  }

  private void meter(Draft draft, Units expected) {
    StoreMeter.Reading reading = meter.take();
    requireUnits(draft.verb() + " " + draft.amounts(), expected, reading.units());
    add(draft, Optional.empty(), reading);
  }

  private void add(Draft draft, Optional<Rejection> rejection, StoreMeter.Reading reading) {
    BucketState written = reading.written();
    Action action =
        new Action(
            draft.verb(),
            draft.amounts(),
            draft.answer(),
            draft.remark(),
            draft.waitedMs(),
            written == null ? List.of() : written.limits(),
            rejection,
            reading.calls(),
            reading.units());
    actions.add(action);
    view.done(action);
  }

  private static void requireUnits(String what, Units expected, Units spent) {
    require(spent.equals(expected), what + " costs " + expected + ", but it cost " + spent);
  }

  /** An action before it is known what it cost. */
  private record Draft(
      String verb, Map<String, Long> amounts, Answer answer, String remark, long waitedMs) {
    Draft(String verb, Map<String, Long> amounts, Answer answer, String remark) {
      this(verb, amounts, answer, remark, /* waitedMs= */ 0);
    }
  }
}
