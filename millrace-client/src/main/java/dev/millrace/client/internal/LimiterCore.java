package dev.millrace.client.internal;

import dev.millrace.client.LimiterListener;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.Commit;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

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
  private final Settling settling = new Settling(this);
  private final Views views = new Views(this);
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

  boolean isClosed() {
    return closed;
  }

  Riders riders() {
    return riders;
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

  /** Checks a request; whatever is wrong with it is said before anything is sent. */
  Prepared prepare(AcquireRequest request) {
    requireOpen();
    return Prepared.of(request, options);
  }

  void requireOpen() {
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
    Rejection known = views.refusal(bucket, prepared.amounts());
    if (known != null) {
      return CompletableFuture.completedFuture(decided(prepared, new Outcome.Rejected(known)));
    }
    return runner
        .commit(bucket, Demand.acquire(prepared.amounts()))
        .thenApply(outcome -> decided(prepared, outcome));
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
      return settling.giveBack(runner, ledger.key(), amounts).thenApply(ignored -> more);
    }
    return CompletableFuture.completedFuture(more);
  }

  Outcome queueFull(Bucket bucket) {
    events.tell(listener -> listener.onQueueFull(bucket.key()));
    return Batches.failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null);
  }

  /** The conversation that brings {@code demands} into a bucket with one write. */
  Step<CommitResult> commit(Bucket bucket, LimitSet limits, List<Demand> demands) {
    Commit commit =
        new Commit(
            bucket.key(),
            dev.millrace.core.config.Terms.ofCall(limits),
            demands,
            options.plan(),
            ops);
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

  static LimiterUnavailableException unavailable(
      BucketKey key, StoreFailure failure, boolean mayBeCharged) {
    return new LimiterUnavailableException(
        "the store did not answer",
        Map.of("bucket", key, "failure", failure.kind(), "mayBeCharged", mayBeCharged),
        failure.cause());
  }
}
