package dev.millrace.cli.demo;

import static dev.millrace.cli.demo.DemoFailure.require;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Rejection;
import dev.millrace.cli.demo.DemoAction.Answer;
import dev.millrace.cli.demo.DemoAction.Units;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A limiter whose every action is metered, checked for its cost, and shown. */
final class DemoStage implements AutoCloseable {
  /** Generous: the first call loads classes, and a busy machine is no reason to fail. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The limiter refuses for a second from what it saw; by then it surely has to. */
  private static final long SURELY_FRESH_MS = 900;

  /** How often a wait is shown. */
  private static final long TICK_MS = 100;

  /** A wait is this much longer: the clock may be adjusted while we sleep. */
  private static final long MARGIN_MS = 5;

  private final Meter meter = new Meter();
  private final RateLimiter limiter;
  private final DemoView view;
  private List<DemoAction> actions = new ArrayList<>();

  DemoStage(BlockingStore store, DemoView view) {
    this.limiter =
        RateLimiter.create(
            store, LimiterOptions.builder().timeout(TIMEOUT).listener(meter).build());
    this.view = view;
  }

  /** Acquires; that it is admitted and what it costs is checked. */
  Lease acquire(AcquireRequest request, Units expected, String remark) {
    Acquisition answer = limiter.tryAcquire(request);
    require(
        answer instanceof Acquisition.Granted,
        "the request " + request + " is admitted: " + answer);
    add("acquire", request.tokens(), Answer.ADMITTED, remark, 0, Optional.empty(), expected);
    return ((Acquisition.Granted) answer).lease();
  }

  /** Adjusts one limit of a lease and closes it: one write. */
  void settle(Lease lease, String limit, long delta, String remark) {
    lease.adjust(limit, delta);
    lease.close();
    Map<String, Long> amounts = Map.of(limit, delta);
    add("adjust", amounts, Answer.SETTLED, remark, 0, Optional.empty(), Units.ONE_WRITE);
  }

  /**
   * Acquires; that it is refused, at no cost, is checked. Only when the machine was so slow that
   * the limiter saw the bucket a second ago may it read.
   */
  Rejection refuse(AcquireRequest request, String remark) {
    long seenNanos = meter.lastCallNanos;
    Acquisition answer = limiter.tryAcquire(request);
    long ageMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - seenNanos);
    require(
        answer instanceof Acquisition.Refused, "the request " + request + " is refused: " + answer);
    Rejection rejection = ((Acquisition.Refused) answer).rejection();
    boolean slow = ageMs >= SURELY_FRESH_MS && meter.units.equals(Units.ONE_READ);
    add(
        "acquire",
        request.tokens(),
        Answer.REFUSED,
        slow ? remark + " (A second had passed, so it took one read.)" : remark,
        0,
        Optional.of(rejection),
        slow ? Units.ONE_READ : Units.NONE);
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
    add("wait", Map.of(), Answer.WAITED, remark, doneMs, Optional.empty(), Units.NONE);
  }

  /** The limit as the last action left it in the store. */
  LimitState left(String limit) {
    return actions.get(actions.size() - 1).balances().stream()
        .filter(state -> state.name().equals(limit))
        .findFirst()
        .orElseThrow(() -> new DemoFailure("the last action wrote no limit " + limit));
  }

  /** Everything that was done in this step; that nothing was spent beside it is checked. */
  List<DemoAction> end() {
    requireUnits("what is not shown", Units.NONE);
    List<DemoAction> done = List.copyOf(actions);
    actions = new ArrayList<>();
    return done;
  }

  private void add(
      String verb,
      Map<String, Long> amounts,
      Answer answer,
      String remark,
      long waitedMs,
      Optional<Rejection> rejection,
      Units expected) {
    requireUnits(answer == Answer.REFUSED ? "a refusal" : verb + " " + amounts, expected);
    DemoAction action =
        new DemoAction(
            verb,
            amounts,
            answer,
            remark,
            waitedMs,
            meter.written,
            rejection,
            List.copyOf(meter.calls),
            meter.units);
    meter.clear();
    actions.add(action);
    view.done(action);
  }

  private void requireUnits(String what, Units expected) {
    require(
        meter.units.equals(expected), what + " costs " + expected + ", but it cost " + meter.units);
  }

  @Override
  public void close() {
    limiter.close();
  }

  /** What the round trips since the last action cost; the limiter calls on the demo's thread. */
  private static final class Meter implements LimiterListener {
    private final List<String> calls = new ArrayList<>();
    private Units units = Units.NONE;
    private List<LimitState> written = List.of();
    private long lastCallNanos = System.nanoTime();

    /** The look-up of stored configuration, once a minute, is no part of what a step shows. */
    @Override
    public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
      if (call instanceof StoreCall.Lookup) {
        return;
      }
      Object named = call instanceof StoreCall.Write write ? write.plan() : call;
      calls.add(named.getClass().getSimpleName().toLowerCase(Locale.ROOT));
      Receipt cost = reply.receipt();
      units = units.plus(new Units(1, cost.readUnits(), cost.writeUnits(), cost.indexWriteUnits()));
      lastCallNanos = System.nanoTime();
      if (reply instanceof StoreReply.Applied applied) {
        written = applied.state().limits();
      }
    }

    void clear() {
      calls.clear();
      units = Units.NONE;
      written = List.of();
    }
  }
}
