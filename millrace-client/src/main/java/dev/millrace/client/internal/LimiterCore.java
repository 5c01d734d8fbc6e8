package dev.millrace.client.internal;

import dev.millrace.client.Availability;
import dev.millrace.client.LeaseState;
import dev.millrace.client.LimiterListener;
import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.protocol.Commit;
import dev.millrace.core.protocol.CommitResult;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.Settle;
import dev.millrace.core.protocol.Sighting;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything of a limiter that does not depend on how its caller waits: requests become
 * conversations with the store, and their ends become decisions. The blocking and the asynchronous
 * limiter differ only in who drives the conversation.
 */
final class LimiterCore {
  private final LimiterOptions options;
  private final OpIds ops = new OpIds();
  private final StoreClock clock;
  private final Mirror mirror;
  private final WaitLines lines;
  private final LimiterMetrics metrics = new LimiterMetrics();
  private final Events events;
  private volatile boolean closed;

  LimiterCore(LimiterOptions options) {
    this.options = options;
    this.clock = new StoreClock(options.time());
    this.mirror = new Mirror(options);
    this.lines = new WaitLines(options.maxWaiters());
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

  WaitLines lines() {
    return lines;
  }

  LimiterMetrics.Snapshot metrics() {
    return metrics.snapshot();
  }

  void close() {
    closed = true;
  }

  /** Checks a request; whatever is wrong with it is said before anything is sent. */
  Prepared prepare(AcquireRequest request) {
    requireOpen();
    return Prepared.of(request, options.namespace(), options.onUnavailable());
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the limiter is closed");
    }
  }

  Step<Decision> acquire(Prepared prepared) {
    return Step.map(
        commit(prepared.key(), prepared.amounts()),
        result -> decided(prepared, result.outcomes().get(0)));
  }

  private Decision decided(Prepared prepared, Outcome outcome) {
    BucketKey key = prepared.key();
    if (outcome instanceof Outcome.Admitted) {
      events.tell(listener -> listener.onAdmitted(key, prepared.amounts()));
      return new Decision.Granted(LeaseLedger.charged(key, prepared.amounts(), prepared.policy()));
    }
    if (outcome instanceof Outcome.Rejected rejected) {
      events.tell(listener -> listener.onRefused(key, rejected.rejection()));
      return new Decision.Refused(rejected.rejection());
    }
    Outcome.Unavailable unavailable = (Outcome.Unavailable) outcome;
    events.tell(listener -> listener.onUnavailable(key, unavailable.failure(), prepared.policy()));
    return prepared.policy() == OnUnavailable.ALLOW
        ? new Decision.Granted(LeaseLedger.degraded(key, prepared.amounts(), prepared.policy()))
        : new Decision.Failed(unavailable(key, unavailable.failure(), unavailable.mayBeCharged()));
  }

  /** Takes more on an open lease. */
  Step<Decision> consume(LeaseLedger ledger, Map<String, Long> tokens) {
    ledger.requireOpen();
    AcquireRequest request =
        AcquireRequest.of(ledger.key().entityId(), ledger.key().resource()).limits(ledger.limits());
    for (Map.Entry<String, Long> entry : tokens.entrySet()) {
      request = request.consume(entry.getKey(), entry.getValue());
    }
    Prepared more = new Prepared(ledger.key(), request.requireAmounts(), ledger.policy());
    if (!ledger.isCharging()) {
      ledger.grantUncharged(more.amounts());
      return new Step.Done<>(new Decision.Granted(ledger));
    }
    return Step.then(acquire(more), decision -> booked(ledger, more.amounts(), decision));
  }

  private Step<Decision> booked(LeaseLedger ledger, Amounts amounts, Decision decision) {
    if (!(decision instanceof Decision.Granted granted)) {
      return new Step.Done<>(decision);
    }
    if (granted.ledger().isDegraded()) {
      ledger.grantUncharged(amounts);
    } else if (!ledger.charge(amounts)) {
      // Cancelled while this was under way: nobody will give it back later.
      Step<Optional<LimiterUnavailableException>> refund = settle(ledger, negated(amounts));
      return Step.map(refund, ignored -> new Decision.Granted(ledger));
    }
    return new Step.Done<>(new Decision.Granted(ledger));
  }

  /** Ends a lease well; an exception in the result is the caller's to throw. */
  Step<Optional<LimiterUnavailableException>> close(LeaseLedger ledger) {
    Amounts amounts = ledger.close();
    return amounts == null || amounts.isEmpty()
        ? new Step.Done<>(Optional.empty())
        : settle(ledger, amounts);
  }

  /** Takes a lease back. */
  Step<Optional<LimiterUnavailableException>> cancel(LeaseLedger ledger) {
    Amounts amounts = ledger.cancel();
    return amounts == null || amounts.isEmpty()
        ? new Step.Done<>(Optional.empty())
        : settle(ledger, amounts);
  }

  private Step<Optional<LimiterUnavailableException>> settle(LeaseLedger ledger, Amounts amounts) {
    BucketKey key = ledger.key();
    Settle settle = new Settle(key, ledger.limits(), options.plan(), ops);
    return Step.map(
        settle.start(amounts, mirror.find(key), clock.nowMs()),
        result -> settled(ledger, amounts, result));
  }

  private Optional<LimiterUnavailableException> settled(
      LeaseLedger ledger, Amounts amounts, Settle.Result result) {
    BucketKey key = ledger.key();
    if (result.sighting() != null) {
      mirror.saw(result.sighting());
    }
    if (result.unknownOutcomes() > 0) {
      events.tell(listener -> listener.onUnknownOutcome(key, result.unknownOutcomes()));
    }
    StoreFailure failure = result.failure();
    if (failure == null) {
      events.tell(listener -> listener.onSettled(key, amounts));
      return Optional.empty();
    }
    events.tell(listener -> listener.onSettleFailed(key, amounts, failure));
    boolean mayBeWritten = result.unknownOutcomes() > 0;
    if (!mayBeWritten && ledger.state() == LeaseState.SETTLED) {
      ledger.reopen();
    }
    return ledger.policy() == OnUnavailable.ALLOW
        ? Optional.empty()
        : Optional.of(unavailable(key, failure, mayBeWritten));
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
            mirror.saw(Sighting.of(state, nowMs));
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
    Sighting sighting = mirror.find(prepared.key());
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

  private Step<CommitResult> commit(BucketKey key, Amounts amounts) {
    Commit commit =
        new Commit(key, amounts.limits(), List.of(Demand.acquire(amounts)), options.plan(), ops);
    return Step.map(commit.start(mirror.find(key), clock.nowMs()), result -> seen(key, result));
  }

  private CommitResult seen(BucketKey key, CommitResult result) {
    if (result.sighting() != null) {
      mirror.saw(result.sighting());
    }
    CommitResult.Trace trace = result.trace();
    if (!trace.equals(CommitResult.Trace.EMPTY)) {
      tell(key, trace);
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
          if (trace.reparameterised()) {
            listener.onReparameterised(key);
          }
          if (trace.healedAheadMs() > 0) {
            listener.onRefillHealed(key, trace.healedAheadMs());
          }
        });
  }

  private static Amounts negated(Amounts amounts) {
    long[] milli = new long[amounts.limits().size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = -amounts.milli(i);
    }
    return Amounts.ofMilli(amounts.limits(), milli);
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
