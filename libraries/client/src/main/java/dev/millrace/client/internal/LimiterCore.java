package dev.millrace.client.internal;

import dev.millrace.client.Availability;
import dev.millrace.client.CloseReport;
import dev.millrace.client.LimiterListener;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.WriteUnits;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.Terms;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.Commit;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.JointCommit;
import dev.millrace.core.protocol.Load;
import dev.millrace.core.protocol.Sighting;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.Draw;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a limiter that does not depend on how its caller waits: requests become
 * conversations with the store, and their ends become decisions. The blocking and the asynchronous
 * limiter differ only in who drives the conversation.
 */
final class LimiterCore {
  /** Most threads for work for which no caller waits; only used when the store only blocks. */
  static final int BACKGROUND_THREADS = 32;

  private final LimiterOptions options;
  private final OpIds ops;
  private final StoreClock clock;
  private final Buckets buckets;
  private final Helpers helpers;
  private final Helpers background;
  private final Relay relay;
  private final Riders riders;
  private final PendingSettlements pending = new PendingSettlements(this);
  private final Settling settling = new Settling(this);
  private final Views views = new Views(this);
  private final WaitLines lines;
  private final Resolver resolver;
  private final Acquiring acquiring;
  private final Looking looking;
  private final Knocks knocks = new Knocks(this);
  private final DivisionPace divisionPace = new DivisionPace();
  private final LimiterMetrics metrics = new LimiterMetrics();
  private final Events events;
  private final StoreHealth health;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean closed;

  LimiterCore(LimiterOptions options) {
    this.options = options;
    this.ops = new OpIds(options.random());
    this.clock = new StoreClock(options.time());
    this.lines = new WaitLines(this);
    this.riders = new Riders(this);
    List<LimiterListener> listeners = new ArrayList<>();
    listeners.add(metrics);
    listeners.add(pending);
    listeners.add(new TroubleLog(options.time()));
    listeners.addAll(options.listeners());
    this.events = new Events(listeners);
    this.health = new StoreHealth(this);
    this.helpers =
        new Helpers(
            options.threads().helpers("leg", options.maxLegThreads()),
            () -> events.tell(LimiterListener::onLegThreadsBusy));
    this.background =
        new Helpers(
            options.threads().helpers("background", BACKGROUND_THREADS),
            () -> events.tell(LimiterListener::onBackgroundThreadsBusy));
    this.buckets = new Buckets(options, background);
    this.relay = new Relay(this);
    this.resolver = new Resolver(this);
    this.acquiring = new Acquiring(this, resolver);
    this.looking = new Looking(this, resolver);
  }

  LimiterOptions options() {
    return options;
  }

  StoreClock clock() {
    return clock;
  }

  StoreHealth health() {
    return health;
  }

  Events events() {
    return events;
  }

  Relay relay() {
    return relay;
  }

  Helpers helpers() {
    return helpers;
  }

  /** Threads for work for which no caller waits. */
  Helpers background() {
    return background;
  }

  PendingSettlements pending() {
    return pending;
  }

  DivisionPace divisionPace() {
    return divisionPace;
  }

  Resolver resolver() {
    return resolver;
  }

  WaitLines lines() {
    return lines;
  }

  LimiterMetrics.Snapshot metrics() {
    return metrics.snapshot();
  }

  /**
   * Accepts no more, and writes down what waits for a write.
   *
   * @return completes when all is written, at the latest after {@code within}
   */
  CompletableFuture<CloseReport> close(Duration within) {
    closed = true;
    boolean first = closing.compareAndSet(false, true);
    CompletableFuture<CloseReport> written = pending.drain(riders::giveBackAll);
    CompletableFuture<Void> deadline = options.time().after(within.toMillis());
    CompletableFuture<Void> unusedDeadline = deadline.thenRun(pending::endNow);
    return written.whenComplete(
        (report, failure) -> {
          deadline.complete(null); // frees it
          if (first) {
            helpers.close();
            health.close();
            tellClosed(report);
          }
        });
  }

  private void tellClosed(CloseReport report) {
    if (!report.isComplete()) {
      events.tell(listener -> listener.onClosedIncomplete(report));
    }
  }

  /** The same on a thread that waits. */
  CloseReport closeAndWait(Duration within) {
    CompletableFuture<CloseReport> written = close(within);
    if (!Aside.await(options.threads(), written, within)) {
      pending.endNow(); // a clock that stands still has no deadline
    }
    return written.join(); // is done: does not wait
  }

  boolean isClosed() {
    return closed;
  }

  Riders riders() {
    return riders;
  }

  Drawing drawing() {
    return acquiring.drawing();
  }

  Settling settling() {
    return settling;
  }

  Views views() {
    return views;
  }

  Bucket bucket(BucketKey key) {
    return buckets.get(key);
  }

  /** The bucket if it was seen lately. */
  @Nullable Bucket known(BucketKey key) {
    return buckets.known(key);
  }

  OpIds ops() {
    return ops;
  }

  void forgetBuckets() {
    buckets.forget();
  }

  /** Checks what can be checked of a request before anything is sent. */
  void check(AcquireRequest request) {
    requireOpen();
    request.requireComplete();
    for (Draw draw : request.draws()) {
      if (draw.limits() != null) {
        Amounts unused = draw.amountsOf(draw.limits());
      }
    }
  }

  /** A request with its legs. */
  CompletableFuture<Preparation> prepare(Runner runner, AcquireRequest request) {
    Prepared known = resolver.now(request);
    return known != null
        ? CompletableFuture.completedFuture(new Preparation.Ready(known))
        : resolver.lookUp(runner.within(runner.budget()), request, Resolver.ANY);
  }

  /** The id of the namespace, or its name as long as the id is not known. */
  String namespaceOrName() {
    String id = resolver.namespaceId();
    return id == null ? options.namespace() : id;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the limiter is closed");
    }
  }

  CompletableFuture<Decision> acquire(Runner runner, AcquireRequest request) {
    return acquiring.acquire(runner.within(Budget.of(options)), request);
  }

  /** The answer to a request of which the store did not tell what holds. */
  Decision unresolved(AcquireRequest request, Preparation.Unavailable unavailable) {
    return acquiring.unresolved(request, unavailable);
  }

  CompletableFuture<Availability> available(
      Runner runner, String entityId, String resource, Limit... limits) {
    return looking.available(runner.within(Budget.of(options)), entityId, resource, limits);
  }

  CompletableFuture<Optional<Duration>> timeUntilAvailable(Runner runner, AcquireRequest request) {
    return looking.timeUntilAvailable(runner.within(Budget.of(options)), request);
  }

  Decision granted(Prepared prepared) {
    events.tell(listener -> listener.onAdmitted(prepared.key(), prepared.amounts()));
    List<LimitStatus> overdrawn = views.overdrawn(prepared);
    if (!overdrawn.isEmpty()) {
      events.tell(listener -> listener.onOverdrawn(prepared.key(), overdrawn));
    }
    return new Decision.Granted(LeaseLedger.charged(prepared, overdrawn));
  }

  void tellUnavailable(Prepared prepared, StoreFailure failure) {
    events.tell(listener -> listener.onUnavailable(prepared.key(), failure, prepared.policy()));
  }

  /** Tells that a bucket follows later versions of records than are stored. */
  void tellConfigSetBack(Leg leg, ConfigStamp bucket) {
    events.tell(
        listener ->
            listener.onConfigSetBack(leg.key(), bucket.versions(), leg.terms().stamp().versions()));
  }

  /** Tells that a request was refused for good; one that waits may be refused many times. */
  void tellRefused(Runner runner, Decision decision, AcquireRequest request) {
    BucketKey key = request.keyIn(namespaceOrName());
    if (decision instanceof Decision.Refused refused) {
      knocks.refused(runner, key.namespace(), refused.rejection());
      events.tell(listener -> listener.onRefused(key, refused.rejection()));
    } else if (decision instanceof Decision.Off off) {
      events.tell(listener -> listener.onDisabled(key, off.disabled()));
    }
  }

  /** Takes more on an open lease. */
  CompletableFuture<Decision> consume(Runner runner, LeaseLedger ledger, Map<String, Long> tokens) {
    ledger.requireOpen();
    AcquireRequest request = ledger.request().anew(tokens);
    check(request);
    ledger.requireRoom(tokens);
    if (!ledger.isCharging()) {
      ledger.grantUncharged(tokens);
      return CompletableFuture.completedFuture(new Decision.Granted(ledger));
    }
    return acquire(runner, request)
        .thenCompose(decision -> booked(runner, ledger, request, decision));
  }

  private CompletableFuture<Decision> booked(
      Runner runner, LeaseLedger ledger, AcquireRequest request, Decision decision) {
    if (!(decision instanceof Decision.Granted granted)) {
      tellRefused(runner, decision, request);
      return CompletableFuture.completedFuture(decision);
    }
    Decision more = new Decision.Granted(ledger);
    return ledger.add(granted.ledger())
        ? CompletableFuture.completedFuture(more)
        // Cancelled while this was under way: nobody will give it back later.
        : settling.cancel(runner, granted.ledger()).thenApply(ignored -> more);
  }

  Outcome queueFull(Bucket bucket) {
    events.tell(listener -> listener.onQueueFull(bucket.key()));
    return Batches.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null);
  }

  /** The conversation that brings {@code demands} into a bucket with one write. */
  Step<CommitResult> commit(Bucket bucket, Terms terms, boolean mayCreate, List<Demand> demands) {
    long nowMs = clock.nowMs();
    Commit commit = new Commit(bucket.key(), terms, mayCreate, demands, options.plan(), ops);
    Step<CommitResult> step =
        bucket.isNone(nowMs)
            ? commit.startAbsent(nowMs)
            : commit.start(bucket.sighting(), nowMs(bucket));
    return Step.map(
        inTimeOf(bucket, step),
        result -> {
          seen(bucket, result.sighting(), result.trace(), result.load());
          if (result.outcomes().get(0) instanceof Outcome.Unavailable unavailable) {
            pressedBy(bucket.key(), unavailable.failure());
          }
          return pending.keep(terms, bucket.key(), demands, result);
        });
  }

  /** The time by which the credit of a bucket is reckoned. */
  long nowMs(Bucket bucket) {
    return bucket.clock().nowMs(clock.nowMs(), options.time().elapsedMs());
  }

  /** A conversation about one bucket that goes by its time, which every answer may put right. */
  private <R> Step<R> inTimeOf(Bucket bucket, Step<R> step) {
    if (!(step instanceof Step.Ask<R> ask)) {
      return step;
    }
    return new Step.Ask<>(
        ask.calls(),
        (replies, nowMs) -> {
          for (StoreReply reply : replies) {
            BucketState state = stateIn(reply);
            if (state != null && state.key().equals(bucket.key())) {
              sawTimeOf(bucket, state);
            }
          }
          return inTimeOf(bucket, ask.next().resume(replies, nowMs(bucket)));
        });
  }

  /** Learns what time it is for the bucket. */
  void sawTimeOf(Bucket bucket, BucketState state) {
    bucket.clock().saw(state.refilledAtMs(), clock.nowMs(), options.time().elapsedMs());
  }

  private static @Nullable BucketState stateIn(StoreReply reply) {
    if (reply instanceof StoreReply.Applied applied) {
      return applied.state();
    }
    if (reply instanceof StoreReply.Refused refused) {
      return refused.state();
    }
    return reply instanceof StoreReply.Found found ? found.state() : null;
  }

  /** The conversation that brings all legs of a request into their buckets in one transaction. */
  Step<JointCommit.Result> joint(Prepared prepared) {
    List<JointCommit.Part> parts = new ArrayList<>(prepared.legs().size());
    List<@Nullable Sighting> sightings = new ArrayList<>(prepared.legs().size());
    Set<Integer> absent = new HashSet<>();
    long nowMs = clock.nowMs();
    for (Leg leg : prepared.legs()) {
      if (leg.bucket().isNone(nowMs)) {
        absent.add(parts.size());
      }
      parts.add(new JointCommit.Part(leg.key(), leg.terms(), leg.amounts(), leg.mayCreate()));
      sightings.add(leg.bucket().sighting());
    }
    JointCommit joint = new JointCommit(parts, options.plan(), ops);
    return Step.map(
        joint.start(sightings, absent, nowMs),
        result -> {
          for (int i = 0; i < prepared.legs().size(); i++) {
            seen(
                prepared.legs().get(i).bucket(),
                result.sightings().get(i),
                result.traces().get(i),
                Load.NONE);
          }
          return result;
        });
  }

  private void seen(
      Bucket bucket, @Nullable Sighting sighting, CommitResult.Trace trace, Load load) {
    if (sighting != null) {
      // A settlement may have been written into the shard that took over the one it was for.
      boolean own = sighting.state().key().shard() == bucket.key().shard();
      saw(own ? bucket : bucket(sighting.state().key()), sighting, load);
    }
    if (!trace.equals(CommitResult.Trace.EMPTY)) {
      tell(bucket.key(), trace);
    }
  }

  /** Remembers what was seen of a shard, and what that tells of the bucket. */
  void saw(Sighting sighting) {
    saw(bucket(sighting.state().key()), sighting, Load.NONE);
  }

  private void saw(Bucket shard, Sighting sighting, Load load) {
    shard.saw(sighting);
    BucketState state = sighting.state();
    sawTimeOf(shard, state);
    boolean first = state.key().shard() == 0;
    Shards shards = first ? shard.shards() : shardsOf(state.key());
    long nowMs = options.time().elapsedMs();
    if (first) {
      if (shards.learn(state.shardCount(), options.sharding(), nowMs)) {
        events.tell(listener -> listener.onShards(state.key(), state.shardCount()));
      }
    }
    WriteUnits partition = options.plan().writeUnits();
    // One that has not split as far as it should will be relieved by that.
    if (state.division().level() >= shards.count() && partition.isSpent(state, clock.nowMs())) {
      shards.press(options.sharding(), nowMs);
    }
    shards.measure(load, partition, nowMs);
  }

  /**
   * A shard whose key the store calls hot is written too hard. Throttling of the table says nothing
   * about a bucket: to divide it would make more writes, and so more throttling.
   */
  void pressedBy(BucketKey key, StoreFailure failure) {
    if (failure.kind() == StoreFailure.Kind.HOT_KEY) {
      Bucket known = buckets.known(key);
      Sighting sighting = known == null ? null : known.sighting();
      Shards shards = shardsOf(key);
      if (sighting == null || sighting.state().division().level() >= shards.count()) {
        shards.press(options.sharding(), options.time().elapsedMs());
      }
    }
  }

  Shards shardsOf(BucketKey key) {
    return bucket(key.withShard(0)).shards();
  }

  private void tell(BucketKey key, CommitResult.Trace trace) {
    events.tell(
        listener -> {
          if (trace.lostLocks() > 0) {
            listener.onLostLock(key, trace.lostLocks());
          }
          if (trace.unknownOutcomes() > 0) {
            listener.onUnknownOutcome(key, trace.unknownOutcomes());
          }
          if (trace.created()) {
            listener.onCreated(key);
          }
          if (trace.reparameterised()) {
            listener.onReparameterised(key);
          }
          if (trace.healedAheadMs() > 0) {
            listener.onRefillHealed(key, trace.healedAheadMs());
          }
        });
  }

  static LimiterUnavailableException unavailable(
      BucketKey key, StoreFailure failure, boolean mayBeCharged) {
    return new LimiterUnavailableException(
        "the store did not answer",
        Map.of(
            "bucket",
            key,
            "failure",
            failure.kind(),
            "mayBeCharged",
            mayBeCharged,
            "todo",
            failure.todo()),
        failure.cause());
  }
}
