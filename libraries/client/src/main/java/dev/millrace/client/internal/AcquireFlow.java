package dev.millrace.client.internal;

import dev.millrace.client.Acquisition;
import dev.millrace.client.Lease;
import dev.millrace.client.LimiterOptions;
import dev.millrace.client.TimeSource;
import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.client.internal.lease.LeaseSettler;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.resolve.RequestResolver;
import dev.millrace.client.internal.resolve.Resolution;
import dev.millrace.client.internal.shard.BucketForecast;
import dev.millrace.client.internal.shard.ShardPicker;
import dev.millrace.client.internal.shard.ShardedCharges;
import dev.millrace.client.internal.shard.TransactionalCharges;
import dev.millrace.client.internal.store.Deadline;
import dev.millrace.client.internal.store.ListenerList;
import dev.millrace.client.internal.store.StoreErrors;
import dev.millrace.client.internal.write.DemandSignal;
import dev.millrace.client.internal.write.LegOutcomes;
import dev.millrace.client.internal.write.NewerConfig;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.client.internal.write.PiggybackWrites;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.decision.DisabledBucket;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Refusal;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.TransactionProtocol;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Brings a request into all the buckets that it draws on, all or none.
 *
 * <p>The legs are written at the same time. When one of them says no, the others are given back
 * before the refusal is told, so that a refused caller holds nothing. Mostly it does not come to
 * that: when what was last seen of any leg says no, nothing is written at all.
 *
 * <p>When a bucket follows a later configuration than this process knows, the request is resolved
 * anew and comes again.
 */
final class AcquireFlow {
  /** How often a request is resolved because its buckets were ahead of it, or were missing. */
  static final int MAX_ROUNDS = 4;

  private static final Outcome.Unavailable OUT_OF_TIME =
      new Outcome.Unavailable(
          new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), /* mayBeCharged= */ false);

  private static final Outcome.Unavailable CONTENDED =
      new Outcome.Unavailable(
          new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false);

  private final LimiterOptions options;
  private final TimeSource time;
  private final RequestResolver resolver;
  private final BucketForecast views;
  private final PiggybackWrites riders;
  private final ShardPicker drawing;
  private final ShardedCharges draws;
  private final TransactionalCharges jointDraws;
  private final LeaseSettler settling;
  private final DemandSignal knocks;
  private final ListenerList events;
  private final Function<LeaseLedger, Lease> leases;

  AcquireFlow(
      LimiterOptions options,
      RequestResolver resolver,
      BucketForecast views,
      PiggybackWrites riders,
      ShardPicker drawing,
      ShardedCharges draws,
      TransactionalCharges jointDraws,
      LeaseSettler settling,
      DemandSignal knocks,
      ListenerList events,
      Function<LeaseLedger, Lease> leases) {
    this.options = options;
    this.time = options.time();
    this.resolver = resolver;
    this.views = views;
    this.riders = riders;
    this.drawing = drawing;
    this.draws = draws;
    this.jointDraws = jointDraws;
    this.settling = settling;
    this.knocks = knocks;
    this.events = events;
    this.leases = leases;
  }

  /** Resolves a request and brings it in. */
  CompletableFuture<Acquisition> acquire(OperationRunner unlimited, AcquireRequest request) {
    OperationRunner runner = unlimited.within(Deadline.of(options));
    ResolvedRequest prepared = resolver.now(request);
    return prepared != null
        ? bring(runner, prepared, 1)
        : resolve(runner, request, CachedConfig.ANY, NewerConfig.NOBODY, 1);
  }

  private CompletableFuture<Acquisition> resolve(
      OperationRunner runner, AcquireRequest request, long after, NewerConfig ahead, int round) {
    return resolver
        .lookUp(runner, request, after)
        .thenCompose(
            preparation ->
                preparation instanceof Resolution.Ready ready
                    ? resolved(runner, ready.prepared(), ahead, round)
                    : unresolved(request, ahead, (Resolution.Unavailable) preparation));
  }

  private CompletableFuture<Acquisition> resolved(
      OperationRunner runner, ResolvedRequest prepared, NewerConfig ahead, int round) {
    Leg behind = ahead.behind(prepared);
    return behind == null ? bring(runner, prepared, round) : setBack(behind, ahead);
  }

  /**
   * What is stored is older than what a bucket follows: after a restore, or when records were
   * deleted by hand. Nobody can tell which limits hold, so nothing is admitted, whatever the
   * policy: the store is not away.
   */
  private CompletableFuture<Acquisition> setBack(Leg leg, NewerConfig ahead) {
    resolver.tellConfigSetBack(leg, Objects.requireNonNull(ahead.stampOf(leg)));
    DisabledBucket off = ahead.off();
    return off != null
        ? done(new Acquisition.Disabled(off))
        : CompletableFuture.failedFuture(
            StoreErrors.unavailable(
                leg.key(),
                new StoreFailure(StoreFailure.Kind.SET_BACK, null),
                /* mayBeCharged= */ false));
  }

  /** What was seen to be switched off stays so, also when the store does not tell more of it. */
  private CompletableFuture<Acquisition> unresolved(
      AcquireRequest request, NewerConfig ahead, Resolution.Unavailable unavailable) {
    DisabledBucket off = ahead.off();
    return off == null ? unresolved(request, unavailable) : done(new Acquisition.Disabled(off));
  }

  /** The store did not tell what holds: answered as when it does not write. */
  CompletableFuture<Acquisition> unresolved(
      AcquireRequest request, Resolution.Unavailable unavailable) {
    String namespace = resolver.namespaceOrName();
    BucketKey key = request.keyIn(namespace);
    events.tell(l -> l.onUnavailable(key, unavailable.failure(), unavailable.policy()));
    return unavailable.policy() == OnUnavailable.ALLOW
        ? done(lent(LeaseLedger.unresolved(request, namespace, options.settlement())))
        : CompletableFuture.failedFuture(
            StoreErrors.unavailable(key, unavailable.failure(), /* mayBeCharged= */ false));
  }

  private CompletableFuture<Acquisition> bring(
      OperationRunner runner, ResolvedRequest prepared, int round) {
    if (prepared.off() != null) {
      return done(new Acquisition.Disabled(prepared.off()));
    }
    Leg off = prepared.switchedOff();
    if (off != null) {
      return confirmOff(runner, prepared, off, round);
    }
    boolean plain = prepared.isUndivided(time.elapsedMs());
    if (prepared.legs().size() == 1 && prepared.prefetch()) {
      return prefetched(runner, prepared, plain, round);
    }
    return written(runner, prepared, plain, round);
  }

  /** Served from what was charged ahead, if there is any. */
  private CompletableFuture<Acquisition> prefetched(
      OperationRunner runner, ResolvedRequest prepared, boolean plain, int round) {
    if (plain) {
      return riders.serve(prepared.first().bucket(), prepared)
          ? served(runner, prepared)
          : written(runner, prepared, /* plain= */ true, round);
    }
    return drawing
        .draw(runner, prepared.first(), Set.of(), drawing.untilMs())
        .thenCompose(
            leg -> {
              ResolvedRequest drawn = leg == null ? prepared : prepared.withLegs(List.of(leg));
              return leg != null && riders.serve(leg.bucket(), drawn)
                  ? served(runner, drawn)
                  : written(runner, prepared, plain, round);
            });
  }

  private CompletableFuture<Acquisition> served(OperationRunner runner, ResolvedRequest prepared) {
    Acquisition granted = granted(prepared);
    Leg leg = prepared.first();
    return riders.orderMore(runner, leg.bucket(), leg.terms()).thenApply(ignored -> granted);
  }

  private CompletableFuture<Acquisition> written(
      OperationRunner runner, ResolvedRequest prepared, boolean plain, int round) {
    Refusal known = views.refusal(prepared);
    if (known != null) {
      return done(refusal(known));
    }
    if (prepared.isTransactional()) {
      return together(runner, prepared, round);
    }
    if (!plain) {
      return draws
          .commit(forLegs(runner, prepared), prepared)
          .thenCompose(drawn -> decide(runner, drawn.prepared(), drawn.ends(), round));
    }
    if (prepared.legs().size() == 1) {
      return runner
          .commit(BucketOperation.acquire(prepared.first()))
          .thenCompose(
              outcome ->
                  outcome instanceof Outcome.Admitted && prepared.first().newerStamp() == null
                      ? done(granted(prepared)) // the way of most, without allocations
                      : undivided(runner, prepared, LegOutcomes.of(outcome), round));
    }
    List<BucketOperation> orders = new ArrayList<>(prepared.legs().size());
    for (Leg leg : prepared.legs()) {
      orders.add(BucketOperation.acquire(leg));
    }
    return LegOutcomes.of(forLegs(runner, prepared).commitAll(orders))
        .thenCompose(ends -> undivided(runner, prepared, ends, round));
  }

  /** Leaves time to give back what some of several legs were charged. */
  private static OperationRunner forLegs(OperationRunner runner, ResolvedRequest prepared) {
    return prepared.legs().size() == 1 ? runner : runner.within(runner.budget().beforeGivingBack());
  }

  /**
   * When the answer tells that a bucket is divided, or should be, a no was that of one shard: the
   * request comes again, and draws. One whose key was hot comes again also when fewer writes of
   * more requests may help. Nobody comes again who may be charged already.
   */
  private CompletableFuture<Acquisition> undivided(
      OperationRunner runner, ResolvedRequest prepared, LegOutcomes ends, int round) {
    boolean again =
        ends.broken() == null
            && round < MAX_ROUNDS
            && !ends.isInDoubt()
            && (ends.anyRejected() || ends.isHot())
            && (!prepared.isUndivided(time.elapsedMs())
                || (ends.isHot() && drawing.lingers(prepared)));
    return again
        ? giveBack(runner, prepared, ends)
            .thenCompose(
                all -> {
                  if (all) {
                    return bring(runner, prepared, round + 1);
                  }
                  return ends.anyRejected()
                      ? refused(runner, prepared, ends)
                      : failed(prepared, charged(ends.unavailable().failure().kind()));
                })
        : decide(runner, prepared, ends, round);
  }

  /** Part of the request is charged and is yet to be given back. */
  private static Outcome.Unavailable charged(StoreFailure.Kind kind) {
    return new Outcome.Unavailable(new StoreFailure(kind, null), /* mayBeCharged= */ true);
  }

  /**
   * Only the bucket that is known to be switched off is asked: the others would be charged for
   * nothing. It may know better.
   */
  private CompletableFuture<Acquisition> confirmOff(
      OperationRunner runner, ResolvedRequest prepared, Leg off, int round) {
    ResolvedRequest only = prepared.withLegs(List.of(off));
    Refusal known = views.refusal(only);
    if (known != null) {
      return done(refusal(known));
    }
    return runner
        .commit(BucketOperation.acquire(off))
        .thenCompose(
            outcome -> {
              NewerConfig ahead = NewerConfig.of(only, LegOutcomes.of(outcome));
              return ahead.isNobody() ? done(disabled(off)) : again(runner, prepared, ahead, round);
            });
  }

  private CompletableFuture<Acquisition> decide(
      OperationRunner runner, ResolvedRequest prepared, LegOutcomes ends, int round) {
    NewerConfig ahead = NewerConfig.of(prepared, ends);
    if (ends.broken() == null && ahead.isNobody() && ends.allAdmitted()) {
      return done(granted(prepared));
    }
    if (ends.broken() == null && ahead.isNobody() && ends.disabled() < 0 && !ends.anyRejected()) {
      return unavailable(runner, prepared, ends);
    }
    return giveBack(runner, prepared, ends)
        .thenCompose(
            all -> {
              if (ends.broken() != null) {
                return CompletableFuture.failedFuture(ends.broken());
              }
              if (!ahead.isNobody()) {
                // What may be charged already must not come again: it may be charged twice.
                if (ends.isInDoubt()) {
                  return inDoubt(prepared, ahead, ends.unavailable());
                }
                return all
                    ? again(runner, prepared, ahead, round)
                    : inDoubt(prepared, ahead, charged(StoreFailure.Kind.TIMED_OUT));
              }
              return ends.disabled() >= 0
                  ? done(disabled(prepared.legs().get(ends.disabled())))
                  : refused(runner, prepared, ends);
            });
  }

  private CompletableFuture<Acquisition> inDoubt(
      ResolvedRequest prepared, NewerConfig ahead, Outcome.Unavailable outcome) {
    DisabledBucket off = ahead.off();
    return off == null ? failed(prepared, outcome) : done(new Acquisition.Disabled(off));
  }

  private CompletableFuture<Acquisition> refused(
      OperationRunner runner, ResolvedRequest prepared, LegOutcomes ends) {
    return views
        .complete(runner, prepared, ends)
        .thenApply(seen -> new Acquisition.Refused(views.rejection(prepared, ends, seen)));
  }

  /** Gives back what was charged; whether all of it is. */
  private CompletableFuture<Boolean> giveBack(
      OperationRunner runner, ResolvedRequest prepared, LegOutcomes ends) {
    List<Leg> charged = new ArrayList<>(prepared.legs().size());
    for (int i = 0; i < prepared.legs().size(); i++) {
      if (ends.isAdmitted(i)) {
        charged.add(prepared.legs().get(i));
      }
    }
    return settling.giveBack(runner, charged);
  }

  private CompletableFuture<Acquisition> again(
      OperationRunner runner, ResolvedRequest prepared, NewerConfig ahead, int round) {
    events.tell(listener -> listener.onOutdated(prepared.key()));
    boolean inTime = runner.budget().leftMs() > 0;
    if (round < MAX_ROUNDS && inTime) {
      long after = resolver.records().looks(); // what was asked for before is out of date
      return resolve(runner, prepared.request(), after, ahead, round + 1);
    }
    DisabledBucket off = ahead.off();
    return off != null
        ? done(new Acquisition.Disabled(off))
        : failed(prepared, inTime && !isSlow(prepared) ? CONTENDED : OUT_OF_TIME);
  }

  /** Whether a bucket could not be made because every look takes too long to be new. */
  private static boolean isSlow(ResolvedRequest prepared) {
    return prepared.legs().stream()
        .anyMatch(leg -> !leg.mayCreate() && leg.bucket().snapshot() == null);
  }

  /** With ALLOW the legs that were charged stay charged: what can be counted is counted. */
  private CompletableFuture<Acquisition> unavailable(
      OperationRunner runner, ResolvedRequest prepared, LegOutcomes ends) {
    Outcome.Unavailable outcome = ends.unavailable();
    if (prepared.policy() == OnUnavailable.BLOCK) {
      return giveBack(runner, prepared, ends)
          .thenCompose(
              all ->
                  failed(
                      prepared,
                      new Outcome.Unavailable(outcome.failure(), outcome.mayBeCharged() || !all)));
    }
    tellUnavailable(prepared, outcome.failure());
    List<Boolean> charged = new ArrayList<>(prepared.legs().size());
    for (int i = 0; i < prepared.legs().size(); i++) {
      charged.add(ends.isAdmitted(i));
    }
    return done(lent(LeaseLedger.degraded(prepared, charged)));
  }

  private CompletableFuture<Acquisition> failed(
      ResolvedRequest prepared, Outcome.Unavailable outcome) {
    tellUnavailable(prepared, outcome.failure());
    if (prepared.policy() == OnUnavailable.ALLOW) {
      List<Boolean> none = prepared.legs().stream().map(leg -> false).toList();
      return done(lent(LeaseLedger.degraded(prepared, none)));
    }
    return CompletableFuture.failedFuture(
        StoreErrors.unavailable(prepared.key(), outcome.failure(), outcome.mayBeCharged()));
  }

  /** All legs in one transaction. */
  private CompletableFuture<Acquisition> together(
      OperationRunner runner, ResolvedRequest prepared, int round) {
    return jointDraws
        .commit(runner, prepared)
        .thenCompose(
            result -> {
              TransactionProtocol.Outcome outcome = result.joint().outcome();
              ResolvedRequest drawn = result.prepared();
              if (outcome instanceof TransactionProtocol.Outcome.Admitted) {
                return done(granted(drawn));
              }
              if (outcome instanceof TransactionProtocol.Outcome.Rejected rejected) {
                return done(new Acquisition.Refused(rejected.rejection()));
              }
              if (outcome instanceof TransactionProtocol.Outcome.Disabled off) {
                return done(disabled(drawn.legs().get(off.part())));
              }
              if (outcome instanceof TransactionProtocol.Outcome.Outdated outdated) {
                NewerConfig ahead = NewerConfig.of(drawn, outdated, result.joint());
                return again(runner, prepared, ahead, round);
              }
              TransactionProtocol.Outcome.Unavailable unavailable =
                  (TransactionProtocol.Outcome.Unavailable) outcome;
              return failed(
                  prepared,
                  new Outcome.Unavailable(unavailable.failure(), unavailable.mayBeCharged()));
            });
  }

  private Acquisition granted(ResolvedRequest prepared) {
    events.tell(listener -> listener.onAdmitted(prepared.key(), prepared.amounts()));
    List<LimitStatus> overdrawn = views.overdrawn(prepared);
    if (!overdrawn.isEmpty()) {
      events.tell(listener -> listener.onOverdrawn(prepared.key(), overdrawn));
    }
    return lent(LeaseLedger.charged(prepared, overdrawn));
  }

  private void tellUnavailable(ResolvedRequest prepared, StoreFailure failure) {
    events.tell(listener -> listener.onUnavailable(prepared.key(), failure, prepared.policy()));
  }

  /** Tells that a request was refused for good; one that waits may be refused many times. */
  void tellRefused(OperationRunner runner, Acquisition acquisition, AcquireRequest request) {
    BucketKey key = request.keyIn(resolver.namespaceOrName());
    if (acquisition instanceof Acquisition.Refused refused) {
      knocks.refused(runner, key, refused.rejection());
      events.tell(listener -> listener.onRefused(key, refused.rejection()));
    } else if (acquisition instanceof Acquisition.Disabled off) {
      events.tell(listener -> listener.onDisabled(key, off.disabled()));
    }
  }

  private Acquisition lent(LeaseLedger ledger) {
    return new Acquisition.Granted(leases.apply(ledger));
  }

  private static Acquisition refusal(Refusal refusal) {
    return refusal instanceof DisabledBucket off
        ? new Acquisition.Disabled(off)
        : new Acquisition.Refused((Rejection) refusal);
  }

  /** The bucket of {@code leg} is switched off. */
  private static Acquisition disabled(Leg leg) {
    return new Acquisition.Disabled(new DisabledBucket(leg.key().entityId(), leg.key().resource()));
  }

  private static CompletableFuture<Acquisition> done(Acquisition acquisition) {
    return CompletableFuture.completedFuture(acquisition);
  }
}
