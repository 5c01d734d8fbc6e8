package dev.millrace.cli.demo;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Rejection;
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
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A limiter whose every action is metered, checked for its cost, and shown. */
final class DemoStage implements AutoCloseable {
  /** Generous: the first call loads classes, and a busy machine is no reason to fail. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The limiter refuses from a snapshot of up to a second; after this it may have to read. */
  private static final long SURELY_FRESH_MS = 900;

  /** A wait is this much longer: the clock may be adjusted meanwhile. */
  private static final long MARGIN_MS = 5;

  private final CostMeter meter = new CostMeter();
  private final RateLimiter limiter;
  private final DemoPrinter printer;
  private List<Action> actions = new ArrayList<>();

  DemoStage(BlockingStore store, DemoPrinter printer) {
    this.limiter =
        RateLimiter.create(meter.over(store), LimiterOptions.builder().timeout(TIMEOUT).build());
    this.printer = printer;
  }

  /**
   * One action of a step and its result.
   *
   * @param amounts by limit
   * @param answer admitted, refused, settled or waited
   * @param remark the reason of the answer
   * @param waitedMs of a wait
   * @param balances the limits as this left them in the store; empty when nothing was written
   * @param rejection of a refusal
   * @param calls the kinds of the store calls
   */
  record Action(
      String verb,
      Map<String, Long> amounts,
      String answer,
      String remark,
      long waitedMs,
      List<LimitState> balances,
      @Nullable Rejection rejection,
      List<String> calls,
      Units units) {}

  /** The cost of calls to the store: requests sent, and capacity units. */
  record Units(int roundTrips, double readUnits, double writeUnits, double indexWriteUnits) {
    static final Units NONE = new Units(0, 0, 0, 0);
    static final Units ONE_READ = new Units(1, 1, 0, 0);

    /** One write, and no index: a warm acquire, or a settlement. */
    static final Units ONE_WRITE = new Units(1, 0, 1, 0);

    /** A read that finds no bucket, and its creation with the keys of two indexes. */
    static final Units CREATION = new Units(2, 1, 1, 2);

    Units plus(Units other) {
      return new Units(
          roundTrips + other.roundTrips,
          readUnits + other.readUnits,
          writeUnits + other.writeUnits,
          indexWriteUnits + other.indexWriteUnits);
    }
  }

  /** Acquires, and requires that it is admitted at the expected cost. */
  Lease acquire(AcquireRequest request, Units expected, String remark) {
    Acquisition answer = limiter.tryAcquire(request);
    Demo.require(
        answer instanceof Acquisition.Granted,
        "the request " + request + " is admitted: " + answer);
    add("acquire", request.tokens(), "admitted", remark, 0, null, expected);
    return ((Acquisition.Granted) answer).lease();
  }

  /** Adjusts one limit of a lease and closes it, and requires that this is one write. */
  void settle(Lease lease, String limit, long delta, String remark) {
    lease.adjust(limit, delta);
    lease.close();
    add("adjust", Map.of(limit, delta), "settled", remark, 0, null, Units.ONE_WRITE);
  }

  /**
   * Acquires, and requires a refusal at no cost; one read is accepted when the snapshot of the
   * limiter has become old on a slow machine.
   */
  Rejection refuse(AcquireRequest request, String remark) {
    long seenNanos = meter.lastCallNanos;
    Acquisition answer = limiter.tryAcquire(request);
    long ageMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - seenNanos);
    Demo.require(
        answer instanceof Acquisition.Refused, "the request " + request + " is refused: " + answer);
    Rejection rejection = ((Acquisition.Refused) answer).rejection();
    boolean slow = ageMs >= SURELY_FRESH_MS && meter.units.equals(Units.ONE_READ);
    String all = slow ? remark + " (A second had passed, so it took one read.)" : remark;
    Units expected = slow ? Units.ONE_READ : Units.NONE;
    add("acquire", request.tokens(), "refused", all, 0, rejection, expected);
    return rejection;
  }

  /** Waits. */
  void pause(long waitMs, String remark) throws InterruptedException {
    Thread.sleep(waitMs + MARGIN_MS);
    add("wait", Map.of(), "waited", remark, waitMs + MARGIN_MS, null, Units.NONE);
  }

  /** The limit as the last action left it in the store. */
  LimitState left(String limit) {
    return actions.get(actions.size() - 1).balances().stream()
        .filter(state -> state.name().equals(limit))
        .findFirst()
        .orElseThrow(() -> Demo.failure("the last action wrote the limit " + limit));
  }

  /** The actions of this step; requires that no other has cost anything. */
  List<Action> end() {
    requireUnits("what is not shown", Units.NONE);
    List<Action> done = List.copyOf(actions);
    actions = new ArrayList<>();
    return done;
  }

  private void add(
      String verb,
      Map<String, Long> amounts,
      String answer,
      String remark,
      long waitedMs,
      @Nullable Rejection rejection,
      Units expected) {
    requireUnits(rejection == null ? verb + " " + amounts : "a refusal", expected);
    Action action =
        new Action(
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
    printer.done(action);
  }

  private void requireUnits(String what, Units expected) {
    Demo.require(
        meter.units.equals(expected), what + " costs " + expected + ", but it cost " + meter.units);
  }

  @Override
  public void close() {
    limiter.close();
  }

  /** Adds up the cost of the calls since the last action; all are made on the demo's thread. */
  private static final class CostMeter {
    private final List<String> calls = new ArrayList<>();
    private Units units = Units.NONE;
    private List<LimitState> written = List.of();
    private long lastCallNanos = System.nanoTime();

    BlockingStore over(BlockingStore store) {
      return (call, timeoutMs) -> {
        StoreReply reply = store.execute(call, timeoutMs);
        count(call, reply);
        return reply;
      };
    }

    /** The look-up of stored configuration, once a minute, is no part of what a step shows. */
    private void count(StoreCall call, StoreReply reply) {
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
