package dev.millrace.simulator;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.CloseReport;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterEvent.Notice;
import dev.millrace.LimiterEvent.SettlementProgress;
import dev.millrace.LimiterEvent.SettlementProgress.State;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.StockOracle;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process from its start to its crash: one limiter, its threads, and what it heard. */
final class Life implements Endpoint, LimiterListener {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long MAX_CLOCK_ERROR_MS = 2_500;
  private static final long MAX_STEADY_MS = 50;

  private final NodeSpec spec;
  private final Loop loop;
  private final Clock clock;
  private final Chance chance;
  private final Coverage coverage;
  private final SimTime time;
  private final Wire wire;
  private final Set<Fiber> fibers = new LinkedHashSet<>();
  private final RateLimiter limiter;
  private final StockOracle stock =
      new StockOracle((PlanSettings.DEFAULT.prefetchWindowMs() + 2) * NANOS_PER_MS);
  private final Heard heard = new Heard();
  private final Map<BucketKey, Integer> troubles = new HashMap<>();
  private final ConcurrentWrites writing = new ConcurrentWrites();
  private final Map<BucketKey, Integer> settleFailures = new HashMap<>();
  private final Set<BucketKey> lostCharges = new HashSet<>();
  private final Set<BucketKey> lostRefunds = new HashSet<>();
  private final Map<BucketKey, Integer> expiries = new HashMap<>();
  private final Map<BucketKey, Map<String, Long>> unchecked = new HashMap<>();
  private final Map<BucketKey, Map<String, Long>> givenBack = new HashMap<>();

  private boolean alive = true;
  private boolean retired;
  private @Nullable CloseReport leftOver;
  private Troubles onTrouble = (key, joint) -> {};
  private Consumer<BucketKey> onAgain = key -> {};
  private long correctedMs;
  private long toldTimeNanos = Long.MIN_VALUE;
  private long interruptedNanos = Long.MIN_VALUE;
  private long missedLookNanos = Long.MIN_VALUE;
  private long calls;
  private int writesUnderWay;
  private int reshapesUnderWay;
  private int open;
  private int ending;
  private long asked;

  Life(
      NodeSpec spec,
      Loop loop,
      Clock clock,
      Chance chance,
      Coverage coverage,
      Table table,
      Network network,
      SimulatedWorld setting) {
    this.spec = spec;
    this.loop = loop;
    this.clock = clock;
    this.chance = chance;
    this.coverage = coverage;
    this.time = new SimTime(loop, clock, this);
    this.wire = new Wire(loop, this, table, network);
    SnapshotRandom restored =
        spec.restored()
            ? new SnapshotRandom(
                new SplittableRandom(setting.epochMs()),
                new SplittableRandom(chance.split("ids").next()))
            : null;
    LimiterOptions.Builder options =
        LimiterOptions.builder()
            .namespaceId(SimulatedWorld.NAMESPACE)
            .onUnavailable(spec.allow() ? OnUnavailable.ALLOW : OnUnavailable.BLOCK)
            .timeout(Duration.ofMillis(spec.timeoutMs()))
            .mirrorAge(Duration.ofMillis(spec.mirrorAgeMs()))
            .configAge(Duration.ofMillis(setting.configAgeMs()))
            .sharding(spec.sharding())
            .partitionWriteUnits(setting.spread().unitsPerSecond())
            .maxLegThreads(spec.maxLegThreads())
            .grouping(spec.grouping())
            .maxQueued(spec.maxQueued())
            .maxWaiters(spec.maxWaiters())
            .prefetch(spec.prefetch())
            .settlement(spec.settlement())
            .time(time)
            .threads(new SimThreads(loop, this))
            .random(restored == null ? new SplittableRandom(chance.split("ids").next()) : restored)
            .maxMirrors(spec.maxMirrors())
            .listener(this);
    if (spec.listenerFailures() > 0) {
      Chance luck = chance.split("listener");
      options = options.listener(new FailingListener(luck, spec.listenerFailures(), this));
    }
    this.limiter =
        switch (spec.port()) {
          case BOTH -> RateLimiter.create(wire, options.build());
          case BLOCKING -> RateLimiter.create(new BlockingHalf(wire), options.build());
          case ASYNC -> RateLimiter.createAsync(wire, options.build());
        };
    if (restored != null) {
      restored.restored();
    }
    if (spec.driftPpm() != 0) {
      saw(Event.CLOCK_DRIFTED);
    }
  }

  NodeSpec spec() {
    return spec;
  }

  RateLimiter limiter() {
    return limiter;
  }

  @Override
  public boolean isAlive() {
    return alive;
  }

  @Override
  public void requireAlive() {
    if (!alive) {
      throw new CrashedProcessError();
    }
  }

  @Override
  public Chance chance() {
    return chance;
  }

  /** What it holds ahead, as far as can be seen from outside. */
  StockOracle stock() {
    return stock;
  }

  SimTime time() {
    return time;
  }

  @Override
  public long effectiveMs() {
    return clock.nowMs() + correctedMs;
  }

  /** Whether its clock is about right, and always was. */
  boolean hasSteadyClock() {
    return Math.abs(spec.clockOffsetMs()) <= MAX_STEADY_MS
        && spec.driftPpm() == 0
        && clock.setNanos() == Long.MIN_VALUE;
  }

  /** How old, by its own clock, is at the least what it heard up to a moment. */
  long leastAgeNanos(long untilNanos) {
    long ageMs = heard.leastAgeMs(untilNanos, effectiveMs());
    long trueNanos = loop.nowNanos() - untilNanos;
    return ageMs < trueNanos / NANOS_PER_MS ? ageMs * NANOS_PER_MS : trueNanos;
  }

  /** How many calls it has sent. */
  long calls() {
    return calls;
  }

  /** How many requests of callers are not answered. */
  int open() {
    return open;
  }

  /** How many were ever asked. */
  long asked() {
    return asked;
  }

  void opened() {
    open++;
    asked++;
  }

  void answered() {
    open--;
  }

  /** How many leases are being ended. */
  int ending() {
    return ending;
  }

  void ending(int change) {
    ending += change;
  }

  Fiber spawn(Runnable body) {
    Fiber[] self = new Fiber[1];
    self[0] =
        loop.spawn(
            () -> {
              try {
                body.run();
              } finally {
                fibers.remove(self[0]);
              }
            });
    fibers.add(self[0]);
    return self[0];
  }

  /** How many of its threads have not ended. */
  int threads() {
    return fibers.size();
  }

  /** Everything stops where it is. */
  void crash() {
    if (reshapesUnderWay > 0) {
      saw(Event.CRASHED_MID_RESHAPE);
    }
    saw(writesUnderWay > 0 ? Event.CRASHED_MID_WRITE : Event.CRASHED);
    alive = false;
    List.copyOf(fibers).forEach(loop::kill);
  }

  /** Interrupts all threads that wait, as a pool of threads does that is shut down. */
  void interrupt() {
    for (Fiber fiber : List.copyOf(fibers)) {
      if (loop.interrupt(fiber)) {
        interruptedNanos = loop.nowNanos();
        saw(Event.INTERRUPTED);
      }
    }
  }

  /** When threads were last interrupted. */
  long interruptedNanos() {
    return interruptedNanos;
  }

  /** When a look at the configuration last failed. */
  long missedLookNanos() {
    return missedLookNanos;
  }

  void forgetBuckets() {
    saw(Event.BUCKETS_FORGOTTEN);
    limiter.forgetBuckets();
  }

  void forgetConfig() {
    saw(Event.CONFIG_FORGOTTEN);
    limiter.invalidate();
  }

  /** Whether it was told to end. */
  boolean isRetired() {
    return retired;
  }

  /** Whether the limiter has told that a settlement of a bucket is lost, or may be. */
  boolean hasLost(BucketKey key, boolean charge) {
    return (charge ? lostCharges : lostRefunds).contains(key.withShard(0));
  }

  /**
   * Ends in good order; threads of its own do it, because it takes time.
   *
   * @param inPeace whether nothing goes wrong any more: then nothing may be left
   */
  void close(boolean inPeace) {
    retired = true;
    if (spec.port() == NodeSpec.Port.ASYNC) {
      CompletionStage<Void> unused =
          limiter.closeAsync().thenAccept(report -> closed(inPeace, report));
    } else {
      Fiber unused = spawn(() -> closed(inPeace, limiter.close(RateLimiter.CLOSE_WITHIN)));
    }
  }

  private void closed(boolean inPeace, CloseReport report) {
    if (!report.isComplete()) {
      saw(Event.CLOSED_INCOMPLETE);
      leftOver = inPeace ? report : null;
    }
  }

  /** Whether something was not written although nothing went wrong any more. */
  boolean hasLeftOver() {
    return leftOver != null;
  }

  @Nullable CloseReport leftOver() {
    return leftOver;
  }

  @Override
  public void sent(StoreCall call) {
    calls++;
    if (call.writes()) {
      writesUnderWay++;
      reshapesUnderWay += Kinds.reshapes(call) ? 1 : 0;
      Kinds.buckets(call).forEach(writing::sent);
      requireRightClock();
    }
  }

  /**
   * Who has heard what time the store has does not write with a clock that is seconds off: it
   * tolerates a second, the store tells whole ones, and a call may have taken its time.
   */
  private void requireRightClock() {
    long aheadMs = clock.aheadMs() + correctedMs;
    boolean toldTime = toldTimeNanos > clock.setNanos() && toldTimeNanos < loop.nowNanos();
    if (toldTime && Math.abs(aheadMs) > MAX_CLOCK_ERROR_MS + spec.timeoutMs()) {
      String wrong = spec.name() + " writes with a clock that is " + aheadMs + " ms ahead";
      loop.after( // not here, where the limiter would catch it
          0,
          () -> {
            throw new Violation(Promise.BOUNDED_BURST, wrong);
          });
    }
  }

  @Override
  public void heard(Sent sent, StoreReply reply) {
    if (reply.receipt().storeTimeMs() != Receipt.NO_TIME) {
      heard.reply(loop.nowNanos(), effectiveMs());
      if (sent.sentNanos() > clock.setNanos()) {
        toldTimeNanos = loop.nowNanos();
      }
    }
    boolean failed = reply instanceof StoreReply.Unknown || reply instanceof StoreReply.NotApplied;
    if (failed && sent.call() instanceof StoreCall.Lookup) {
      missedLookNanos = loop.nowNanos();
    }
    if (spec.restored() && reply instanceof StoreReply.Applied) {
      saw(Event.RESTORED_WRITE);
    }
    if (sent.call().writes()) {
      writesUnderWay--;
      Kinds.buckets(sent.call()).forEach(key -> writing.heard(key, loop.nowNanos()));
      if (Kinds.reshapes(sent.call())) {
        reshapesUnderWay--;
        if (reply instanceof StoreReply.Unknown) {
          saw(Event.RESHAPE_UNKNOWN);
        }
      }
      if (failed && Kinds.charges(sent.call())) {
        boolean joint = sent.call() instanceof StoreCall.Transaction;
        Kinds.buckets(sent.call()).forEach(key -> trouble(key, joint));
      }
      if (sent.call() instanceof StoreCall.Write write
          && reply instanceof StoreReply.Refused refused
          && isForgotten(write, refused.state())) {
        // What was to be given back is there already.
        trouble(write.key().withShard(0), /* joint= */ false);
        expiries.merge(write.key().withShard(0), 1, Integer::sum);
      }
    }
  }

  /**
   * Whether the bucket has expired, or was made anew without a limit. A shard that was merged into
   * another has not expired: what is to be settled goes there.
   */
  private static boolean isForgotten(StoreCall.Write write, @Nullable BucketState state) {
    if (state == null) {
      return write.key().shard() == 0;
    }
    return write.plan() instanceof WritePlan.Adjust adjust
        && adjust.changes().stream().anyMatch(change -> state.find(change.name()) == null);
  }

  /** Something goes wrong with a bucket. */
  interface Troubles {
    /**
     * Hears of it.
     *
     * @param joint whether it was a transaction, which is sent again
     */
    void trouble(BucketKey key, boolean joint);
  }

  /** Hears when something goes wrong with a bucket. */
  void onTrouble(Troubles listener) {
    onTrouble = listener;
  }

  /** Hears when requests may come again that draw on a bucket. */
  void onAgain(Consumer<BucketKey> listener) {
    onAgain = listener;
  }

  private void trouble(BucketKey key, boolean joint) {
    onTrouble.trouble(key, joint);
    troubles.merge(key, 1, Integer::sum);
  }

  /** The buckets that it is writing. */
  ConcurrentWrites writing() {
    return writing;
  }

  /** Counts what went wrong with a bucket: as long as it stands still, everything is certain. */
  int troubles(BucketKey key) {
    return troubles.getOrDefault(key, 0);
  }

  /** Counts the settlements of a bucket of which the limiter told that they failed. */
  int settleFailures(BucketKey key) {
    return settleFailures.getOrDefault(key, 0);
  }

  /** May charge without a check from now on; a negative amount takes that back. */
  void unchecked(BucketKey key, String limit, long milli) {
    unchecked
        .computeIfAbsent(key, absent -> new HashMap<>())
        .merge(limit, milli, (a, b) -> a + b == 0 ? null : a + b);
  }

  @Override
  public String name() {
    return spec.name();
  }

  @Override
  public TableWrite.Source source() {
    return TableWrite.Source.CLIENT;
  }

  @Override
  public Map<String, Long> uncheckedMilli(BucketKey key) {
    Map<String, Long> of = unchecked.get(key);
    return of == null || of.isEmpty() ? Map.of() : Map.copyOf(of);
  }

  /** Counts how often a bucket was not there any more when it was written. */
  int expiries(BucketKey key) {
    return expiries.getOrDefault(key, 0);
  }

  /** May give back from now on; a negative amount takes that back. */
  void givenBack(BucketKey key, String limit, long milli) {
    givenBack
        .computeIfAbsent(key, absent -> new HashMap<>())
        .merge(limit, milli, (a, b) -> a + b == 0 ? null : a + b);
  }

  @Override
  public @Nullable Map<String, Long> givenBackMilli(BucketKey key) {
    if (spec.prefetch() || troubles(key) > 0) {
      return null;
    }
    Map<String, Long> of = givenBack.get(key);
    return of == null ? Map.of() : Map.copyOf(of);
  }

  @Override
  public void saw(Event event) {
    coverage.saw(event);
  }

  @Override
  public void onEvent(LimiterEvent event) {
    if (event instanceof SettlementProgress settlement) {
      settlement(settlement);
    } else if (event instanceof Notice notice) {
      notice(notice);
    } else if (event instanceof LimiterEvent.Decision decision && !decision.overdrawn().isEmpty()) {
      saw(Event.OVERDRAWN);
    }
  }

  private void settlement(SettlementProgress settlement) {
    BucketKey first = settlement.bucket().withShard(0);
    if (settlement.state() == State.FAILED || settlement.state() == State.POSTPONED) {
      trouble(first, /* joint= */ false);
      settleFailures.merge(first, 1, Integer::sum);
      saw(settlement.state() == State.FAILED ? Event.SETTLE_FAILED : Event.SETTLEMENT_POSTPONED);
    }
    if (settlement.state() == State.FAILED) {
      Amounts amounts = settlement.amounts();
      for (int i = 0; i < amounts.limits().size(); i++) {
        if (amounts.milli(i) != 0) {
          (amounts.milli(i) > 0 ? lostCharges : lostRefunds).add(first);
        }
      }
    }
  }

  private void notice(Notice notice) {
    switch (notice.kind()) {
      case CLOCK_CORRECTED -> {
        correctedMs = notice.amount();
        heard.corrected(loop.nowNanos(), effectiveMs());
        saw(Event.CLOCK_CORRECTED);
      }
      case LOST_LOCK -> saw(Event.LOST_LOCK);
      case UNKNOWN_OUTCOME -> saw(Event.UNKNOWN_OUTCOME);
      case REFILL_HEALED -> saw(Event.REFILL_HEALED);
      case GIVEN_BACK -> again(Event.GIVEN_BACK, notice);
      case OUTDATED -> again(Event.OUTDATED, notice);
      case QUEUE_FULL -> saw(Event.QUEUE_FULL);
      case WAIT_LINE_FULL -> saw(Event.WAIT_LINE_FULL);
      case LEFT_ELSEWHERE -> saw(Event.LEFT_ELSEWHERE);
      case LEG_THREADS_BUSY -> saw(Event.LEG_THREADS_BUSY);
      default -> {}
    }
  }

  private void again(Event event, Notice notice) {
    saw(event);
    onAgain.accept(Objects.requireNonNull(notice.bucket()).withShard(0));
  }
}
