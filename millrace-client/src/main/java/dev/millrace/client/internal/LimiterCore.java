package dev.millrace.client.internal;

import dev.millrace.client.Availability;
import dev.millrace.client.LimiterListener;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.protocol.Commit;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Sighting;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Everything of a limiter that does not depend on how its caller waits: requests become
 * conversations with the store, and their ends become decisions. The blocking and the asynchronous
 * limiter differ only in who drives the conversation.
 */
final class LimiterCore {
  private final LimiterOptions options;
  private final OpIds ops = new OpIds();
  private final StoreClock clock;
  private final Buckets buckets;
  private final Relay relay = new Relay();
  private final Riders riders;
  private final WaitLines lines;
  private final LimiterMetrics metrics = new LimiterMetrics();
  private final Events events;
  private volatile boolean closed;

  LimiterCore(LimiterOptions options) {
    this.options = options;
    this.clock = new StoreClock(options.time());
    this.buckets = new Buckets(options);
    this.lines = new WaitLines(options.maxWaiters());
    this.riders = new Riders(this);
    List<LimiterListener> listeners = new ArrayList<>();
    listeners.add(metrics);
    listeners.add(new TroubleLog(options.time()));
    listeners.addAll(options.listeners());
    this.events = new Events(listeners);
  }

  LimiterOptions options() {
    return options;
  }

  StoreClock clock() {
    return clock;
  }

  Events events() {
    return events;
  }

  Relay relay() {
    return relay;
  }

  WaitLines lines() {
    return lines;
  }

  LimiterMetrics.Snapshot metrics() {
    return metrics.snapshot();
  }

  /** Accepts no more, and writes down what waits for a write. */
  void close(Runner runner) {
    if (!closed) {
      closed = true;
      for (Bucket bucket : buckets.all()) {
        riders.flush(bucket, runner);
      }
    }
  }

  Riders riders() {
    return riders;
  }

  /** Checks a request; whatever is wrong with it is said before anything is sent. */
  Prepared prepare(AcquireRequest request) {
    requireOpen();
    return Prepared.of(request, options);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the limiter is closed");
    }
  }

  CompletableFuture<Decision> acquire(Runner runner, Prepared prepared) {
    Bucket bucket = buckets.get(prepared.key());
    if (prepared.prefetch()) {
      CompletableFuture<Decision> served = riders.serve(runner, bucket, prepared);
      if (served != null) {
        return served;
      }
    }
    Rejection known = refusalFromSighting(bucket, prepared.amounts());
    if (known != null) {
      return CompletableFuture.completedFuture(decided(prepared, new Outcome.Rejected(known)));
    }
    return runner
        .commit(bucket, Demand.acquire(prepared.amounts()))
        .thenApply(outcome -> decided(prepared, outcome));
  }

  /** The refusal that costs nothing, or null when the store must be asked. */
  private @Nullable Rejection refusalFromSighting(Bucket bucket, Amounts amounts) {
    long nowMs = clock.nowMs();
    Sighting sighting = bucket.sighting();
    if (sighting == null || !sighting.isTrusted(nowMs)) {
      return null;
    }
    Projection projection = project(sighting.state(), amounts.limits(), nowMs);
    return projection.needsRepair() || projection.fits(amounts) ? null : projection.reject(amounts);
  }

  Decision decided(Prepared prepared, Outcome outcome) {
    BucketKey key = prepared.key();
    if (outcome instanceof Outcome.Admitted) {
      events.tell(listener -> listener.onAdmitted(key, prepared.amounts()));
      return new Decision.Granted(LeaseLedger.charged(prepared));
    }
    if (outcome instanceof Outcome.Rejected rejected) {
      return new Decision.Refused(rejected.rejection()); // told when it is final
    }
    Outcome.Unavailable unavailable = (Outcome.Unavailable) outcome;
    events.tell(listener -> listener.onUnavailable(key, unavailable.failure(), prepared.policy()));
    return prepared.policy() == OnUnavailable.ALLOW
        ? new Decision.Granted(LeaseLedger.degraded(prepared))
        : new Decision.Failed(unavailable(key, unavailable.failure(), unavailable.mayBeCharged()));
  }

  /** Tells that a request was refused for good; one that waits may be refused many times. */
  void tellRefused(BucketKey key, Rejection rejection) {
    events.tell(listener -> listener.onRefused(key, rejection));
  }

  /** Takes more on an open lease. */
  CompletableFuture<Decision> consume(Runner runner, LeaseLedger ledger, Map<String, Long> tokens) {
    ledger.requireOpen();
    AcquireRequest request =
        AcquireRequest.of(ledger.key().entityId(), ledger.key().resource()).limits(ledger.limits());
    for (Map.Entry<String, Long> entry : tokens.entrySet()) {
      request = request.consume(entry.getKey(), entry.getValue());
    }
    Prepared first = ledger.first();
    Prepared more =
        new Prepared(
            first.key(),
            request.requireAmounts(),
            first.policy(),
            first.prefetch(),
            first.settlement());
    if (!ledger.isCharging()) {
      ledger.grantUncharged(more.amounts());
      return CompletableFuture.completedFuture(new Decision.Granted(ledger));
    }
    return acquire(runner, more)
        .thenCompose(decision -> booked(runner, ledger, more.amounts(), decision));
  }

  private CompletableFuture<Decision> booked(
      Runner runner, LeaseLedger ledger, Amounts amounts, Decision decision) {
    if (!(decision instanceof Decision.Granted granted)) {
      if (decision instanceof Decision.Refused refused) {
        tellRefused(ledger.key(), refused.rejection());
      }
      return CompletableFuture.completedFuture(decision);
    }
    Decision more = new Decision.Granted(ledger);
    if (granted.ledger().isDegraded()) {
      ledger.grantUncharged(amounts);
    } else if (!ledger.charge(amounts)) {
      // Cancelled while this was under way: nobody will give it back later.
      return runner
          .commit(buckets.get(ledger.key()), Demand.settle(amounts.negated()))
          .thenApply(
              outcome -> {
                tellSettled(ledger.key(), amounts.negated(), outcome);
                return more;
              });
    }
    return CompletableFuture.completedFuture(more);
  }

  /** Ends a lease well; an exception in the result is the caller's to throw. */
  CompletableFuture<Optional<LimiterUnavailableException>> close(
      Runner runner, LeaseLedger ledger) {
    return settle(runner, ledger, ledger.close());
  }

  /** Takes a lease back. */
  CompletableFuture<Optional<LimiterUnavailableException>> cancel(
      Runner runner, LeaseLedger ledger) {
    return settle(runner, ledger, ledger.cancel());
  }

  private CompletableFuture<Optional<LimiterUnavailableException>> settle(
      Runner runner, LeaseLedger ledger, @Nullable Amounts amounts) {
    if (amounts == null || amounts.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Bucket bucket = buckets.get(ledger.key());
    boolean deferred = ledger.first().settlement() == Settlement.DEFERRED && !closed;
    if (deferred && riders.defer(bucket, runner, amounts)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return runner
        .commit(bucket, Demand.settle(amounts))
        .thenApply(outcome -> settled(ledger, amounts, outcome));
  }

  private Optional<LimiterUnavailableException> settled(
      LeaseLedger ledger, Amounts amounts, Outcome outcome) {
    BucketKey key = ledger.key();
    tellSettled(key, amounts, outcome);
    if (!(outcome instanceof Outcome.Unavailable unavailable)) {
      return Optional.empty();
    }
    if (!unavailable.mayBeCharged()) {
      ledger.reopen();
    }
    return ledger.policy() == OnUnavailable.ALLOW
        ? Optional.empty()
        : Optional.of(unavailable(key, unavailable.failure(), unavailable.mayBeCharged()));
  }

  private void tellSettled(BucketKey key, Amounts amounts, Outcome outcome) {
    if (outcome instanceof Outcome.Unavailable unavailable) {
      events.tell(listener -> listener.onSettleFailed(key, amounts, unavailable.failure()));
    } else {
      events.tell(listener -> listener.onSettled(key, amounts));
    }
  }

  /** Hears what becomes of a demand for which nobody waits. */
  void watchDetached(Bucket bucket, Demand demand, Member member) {
    CompletableFuture<Void> unused =
        member
            .turn()
            .thenAccept(
                turn -> {
                  if (turn instanceof Member.Turn.Ended ended) {
                    tellSettled(bucket.key(), demand.amounts(), ended.outcome());
                  } else if (turn instanceof Member.Turn.Broken broken) {
                    StoreFailure failure =
                        new StoreFailure(StoreFailure.Kind.BROKEN, broken.cause());
                    events.tell(
                        listener ->
                            listener.onSettleFailed(bucket.key(), demand.amounts(), failure));
                  }
                });
  }

  Outcome queueFull(Bucket bucket) {
    events.tell(listener -> listener.onQueueFull(bucket.key()));
    return Batches.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null);
  }

  Step<Availability> available(String entityId, String resource, LimitSet limits) {
    requireOpen();
    BucketKey key = BucketKey.first(options.namespace(), entityId, resource);
    Amounts nothing = Amounts.ofTokens(limits, Map.of());
    return Step.map(look(key, nothing), Availability::new);
  }

  Step<Optional<Duration>> timeUntilAvailable(AcquireRequest request) {
    Prepared prepared = prepare(request);
    return Step.map(
        look(prepared.key(), prepared.amounts()),
        statuses -> {
          long longestMs = statuses.stream().mapToLong(LimitStatus::retryAfterMs).max().orElse(0);
          return longestMs == LimitStatus.NEVER
              ? Optional.empty()
              : Optional.of(Duration.ofMillis(longestMs));
        });
  }

  /** The statuses that a request would meet now. */
  private Step<List<LimitStatus>> look(BucketKey key, Amounts amounts) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            throw unavailable(key, failureOf(reply), /* mayBeCharged= */ false);
          }
          BucketState state = found.state();
          if (state != null) {
            buckets.get(key).saw(Sighting.of(state, nowMs));
          }
          return new Step.Done<>(
              project(
                      state == null ? BucketState.full(key, amounts.limits(), nowMs) : state,
                      amounts.limits(),
                      nowMs)
                  .statuses(amounts));
        });
  }

  /**
   * What is known without asking: the statuses that a request would meet after all those {@code
   * ahead} of it, or null when the bucket was not seen lately.
   */
  @org.jspecify.annotations.Nullable
  List<LimitStatus> peek(Prepared prepared, List<Amounts> ahead) {
    long nowMs = clock.nowMs();
    Sighting sighting = buckets.get(prepared.key()).sighting();
    if (sighting == null || !sighting.isTrusted(nowMs)) {
      return null;
    }
    Projection projection = project(sighting.state(), prepared.amounts().limits(), nowMs);
    for (Amounts other : ahead) {
      if (other.limits().equals(prepared.amounts().limits())) {
        projection.settle(other);
      }
    }
    return projection.statuses(prepared.amounts());
  }

  private Projection project(BucketState state, LimitSet limits, long nowMs) {
    return Projection.of(state, limits, nowMs, options.plan().maxSkewMs());
  }

  /** The conversation that brings {@code demands} into a bucket with one write. */
  Step<CommitResult> commit(Bucket bucket, LimitSet limits, List<Demand> demands) {
    Commit commit = new Commit(bucket.key(), limits, demands, options.plan(), ops);
    return Step.map(commit.start(bucket.sighting(), clock.nowMs()), result -> seen(bucket, result));
  }

  private CommitResult seen(Bucket bucket, CommitResult result) {
    if (result.sighting() != null) {
      bucket.saw(result.sighting());
    }
    if (!result.trace().equals(CommitResult.Trace.EMPTY)) {
      tell(bucket.key(), result.trace());
    }
    return result;
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

  private static StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return unknown.failure();
    }
    throw new IllegalStateException("a store answered a read with " + reply);
  }

  static LimiterUnavailableException unavailable(
      BucketKey key, StoreFailure failure, boolean mayBeCharged) {
    return new LimiterUnavailableException(
        "the store did not answer",
        Map.of("bucket", key, "failure", failure.kind(), "mayBeCharged", mayBeCharged),
        failure.cause());
  }
}
