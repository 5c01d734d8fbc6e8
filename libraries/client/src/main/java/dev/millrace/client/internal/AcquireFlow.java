package dev.millrace.client.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.DisabledBucket;
import dev.millrace.Lease;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterOptions;
import dev.millrace.OnUnavailable;
import dev.millrace.Refusal;
import dev.millrace.Rejection;
import dev.millrace.TimeSource;
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
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreErrors;
import dev.millrace.client.internal.write.DemandSignal;
import dev.millrace.client.internal.write.LegOutcomes;
import dev.millrace.client.internal.write.NewerConfig;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.client.internal.write.PiggybackWrites;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One acquire, from the request to the answer: all the buckets that it draws on are charged, or
 * none.
 *
 * <ol>
 *   <li><b>Resolve</b> which buckets are charged and which limits apply: {@link RequestResolver},
 *       mostly from memory.
 *   <li><b>Route</b>, which does not pick a shard yet: a bucket that is switched off is asked
 *       alone; tokens that were charged ahead are used up first ({@link PiggybackWrites}).
 *   <li><b>Refuse</b> without a write when what was last seen of any bucket says no: {@link
 *       BucketForecast}.
 *   <li><b>Commit</b>: every leg queues for the next write of its bucket, all legs at the same time
 *       ({@link OperationRunner}); a divided bucket is charged in one of its shards ({@link
 *       ShardedCharges}); if asked for, all legs in one transaction ({@link TransactionalCharges}).
 *   <li><b>Decide</b>: unless every leg was admitted, those that were are given back ({@link
 *       LeaseSettler}) before the refusal is told, so that a refused caller holds nothing. When a
 *       bucket follows a later configuration than this process knows, the request is resolved
 *       again.
 *   <li><b>Answer</b>: granted with a lease, refused, disabled, or unavailable by the policy.
 * </ol>
 */
final class AcquireFlow {
  /**
   * How often a request is resolved because its buckets followed a newer configuration, or were
   * missing.
   */
  static final int MAX_ROUNDS = 4;

  private static final Outcome.Unavailable OUT_OF_TIME =
      new Outcome.Unavailable(
          new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), /* mayBeCharged= */ false);

  private static final Outcome.Unavailable CONTENDED =
      new Outcome.Unavailable(
          new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false);

  private final LimiterOptions options;
  private final TimeSource time;
  private final CallBudget limit;
  private final RequestResolver resolver;
  private final BucketForecast forecast;
  private final PiggybackWrites piggyback;
  private final ShardPicker picker;
  private final ShardedCharges sharded;
  private final TransactionalCharges transactional;
  private final LeaseSettler settler;
  private final DemandSignal demandSignal;
  private final LimiterEvents events;
  private final Function<LeaseLedger, Lease> leases;

  AcquireFlow(
      LimiterOptions options,
      RequestResolver resolver,
      BucketForecast forecast,
      PiggybackWrites piggyback,
      ShardPicker picker,
      ShardedCharges sharded,
      TransactionalCharges transactional,
      LeaseSettler settler,
      DemandSignal demandSignal,
      LimiterEvents events,
      Function<LeaseLedger, Lease> leases) {
    this.options = options;
    this.time = options.time();
    this.limit = CallBudget.of(options);
    this.resolver = resolver;
    this.forecast = forecast;
    this.piggyback = piggyback;
    this.picker = picker;
    this.sharded = sharded;
    this.transactional = transactional;
    this.settler = settler;
    this.demandSignal = demandSignal;
    this.events = events;
    this.leases = leases;
  }

  /** Resolves a request, charges it and answers. */
  CompletableFuture<Acquisition> acquire(OperationRunner unlimited, AcquireRequest request) {
    long elapsedMs = time.elapsedMs();
    ResolvedRequest resolved = resolver.now(request, elapsedMs);
    CompletableFuture<Acquisition> known =
        resolved == null ? null : fromMemory(unlimited, resolved, elapsedMs);
    if (known != null) {
      return known;
    }
    OperationRunner runner = unlimited.within(limit.again());
    return resolved == null
        ? resolve(runner, request, CachedConfig.ANY, NewerConfig.NONE, 1)
        : ask(runner, resolved, elapsedMs, 1);
  }

  private CompletableFuture<Acquisition> resolve(
      OperationRunner runner, AcquireRequest request, long after, NewerConfig newer, int round) {
    return resolver
        .lookUp(runner, request, after)
        .thenCompose(
            resolution ->
                resolution instanceof Resolution.Ready ready
                    ? routeIfNew(runner, ready.prepared(), newer, round)
                    : unresolved(request, newer, (Resolution.Unavailable) resolution));
  }

  private CompletableFuture<Acquisition> routeIfNew(
      OperationRunner runner, ResolvedRequest resolved, NewerConfig newer, int round) {
    Leg behind = newer.behind(resolved);
    return behind == null ? route(runner, resolved, round) : setBack(behind, newer);
  }

  /**
   * What is stored is older than what a bucket follows: after a restore, or when records were
   * deleted by hand. It is not known which limits hold, so nothing is admitted, whatever the
   * policy: the store is not away.
   */
  private CompletableFuture<Acquisition> setBack(Leg leg, NewerConfig newer) {
    resolver.reportConfigSetBack(leg, Objects.requireNonNull(newer.stampOf(leg)));
    DisabledBucket off = newer.off();
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
      AcquireRequest request, NewerConfig newer, Resolution.Unavailable unavailable) {
    DisabledBucket off = newer.off();
    return off == null ? unresolved(request, unavailable) : done(new Acquisition.Disabled(off));
  }

  /** The store did not tell what holds: answered as when it does not write. */
  CompletableFuture<Acquisition> unresolved(
      AcquireRequest request, Resolution.Unavailable unavailable) {
    String namespace = resolver.namespaceOrName();
    BucketKey key = request.keyIn(namespace);
    events.unavailable(key, unavailable.failure(), unavailable.policy());
    return unavailable.policy() == OnUnavailable.ALLOW
        ? done(lent(LeaseLedger.unresolved(request, namespace, options.settlement())))
        : CompletableFuture.failedFuture(
            StoreErrors.unavailable(key, unavailable.failure(), /* mayBeCharged= */ false));
  }

  private CompletableFuture<Acquisition> route(
      OperationRunner runner, ResolvedRequest resolved, int round) {
    long elapsedMs = time.elapsedMs();
    CompletableFuture<Acquisition> known = fromMemory(runner, resolved, elapsedMs);
    return known == null ? ask(runner, resolved, elapsedMs, round) : known;
  }

  /**
   * The answer that needs no store call: tokens that were charged ahead are used up first, else
   * what was last seen may refuse. Null when the store must be asked.
   */
  private @Nullable CompletableFuture<Acquisition> fromMemory(
      OperationRunner runner, ResolvedRequest resolved, long elapsedMs) {
    if (resolved.off() != null) {
      return done(new Acquisition.Disabled(resolved.off()));
    }
    Leg off = resolved.switchedOff();
    if (off == null && resolved.isPrefetched()) {
      if (!resolved.isUndivided(elapsedMs)) {
        return null; // a shard is picked first
      }
      if (piggyback.serve(resolved.first(), elapsedMs)) {
        return served(runner, resolved, elapsedMs);
      }
    }
    Refusal refusal = forecast.refusal(off == null ? resolved : resolved.withLegs(List.of(off)));
    return refusal == null ? null : done(refusal(refusal));
  }

  private CompletableFuture<Acquisition> ask(
      OperationRunner runner, ResolvedRequest resolved, long elapsedMs, int round) {
    Leg off = resolved.switchedOff();
    if (off != null) {
      return confirmDisabled(runner, resolved, off, round);
    }
    boolean plain = resolved.isUndivided(elapsedMs);
    return plain || !resolved.isPrefetched()
        ? commit(runner, resolved, plain, round)
        : servePrefetched(runner, resolved, round);
  }

  /** Uses up what was charged ahead in the shard that is picked, if there is enough. */
  private CompletableFuture<Acquisition> servePrefetched(
      OperationRunner runner, ResolvedRequest resolved, int round) {
    return picker
        .draw(runner, resolved.first(), Set.of(), picker.untilMs())
        .thenCompose(
            leg -> {
              long elapsedMs = time.elapsedMs();
              if (leg != null && piggyback.serve(leg, elapsedMs)) {
                return served(runner, resolved.withLegs(List.of(leg)), elapsedMs);
              }
              Refusal refusal = forecast.refusal(resolved);
              return refusal == null
                  ? commit(runner, resolved, /* plain= */ false, round)
                  : done(refusal(refusal));
            });
  }

  private CompletableFuture<Acquisition> served(
      OperationRunner runner, ResolvedRequest resolved, long elapsedMs) {
    Acquisition granted = granted(resolved);
    Leg leg = resolved.first();
    CompletableFuture<?> ordered =
        piggyback.orderMore(runner, leg.bucket(), leg.terms(), elapsedMs);
    return ordered == PiggybackWrites.NOTHING_ORDERED
        ? done(granted)
        : ordered.thenApply(ignored -> granted);
  }

  private CompletableFuture<Acquisition> commit(
      OperationRunner runner, ResolvedRequest resolved, boolean plain, int round) {
    if (resolved.isTransactional()) {
      return commitTogether(runner, resolved, round);
    }
    if (!plain) {
      return sharded
          .commit(forLegs(runner, resolved), resolved)
          .thenCompose(drawn -> decide(runner, drawn.prepared(), drawn.ends(), round));
    }
    if (resolved.legs().size() == 1) {
      Leg leg = resolved.first();
      return runner
          .commit(BucketOperation.acquire(leg))
          .thenCompose(
              outcome ->
                  outcome instanceof Outcome.Admitted && leg.newerStamp() == null
                      ? done(granted(resolved)) // fast path: no allocation
                      : decideUndivided(runner, resolved, LegOutcomes.of(outcome), round));
    }
    List<BucketOperation> orders = new ArrayList<>(resolved.legs().size());
    for (Leg leg : resolved.legs()) {
      orders.add(BucketOperation.acquire(leg));
    }
    return LegOutcomes.of(forLegs(runner, resolved).commitAll(orders))
        .thenCompose(outcomes -> decideUndivided(runner, resolved, outcomes, round));
  }

  /** Leaves time to give back what some of several legs were charged. */
  private static OperationRunner forLegs(OperationRunner runner, ResolvedRequest resolved) {
    return resolved.legs().size() == 1 ? runner : runner.within(runner.budget().beforeGivingBack());
  }

  /**
   * When the answer tells that a bucket is divided, or should be, a no was that of one shard: the
   * request comes again, and picks a shard. One whose key was hot comes again also when fewer
   * writes of more requests may help. A request that may be charged already does not come again.
   */
  private CompletableFuture<Acquisition> decideUndivided(
      OperationRunner runner, ResolvedRequest resolved, LegOutcomes outcomes, int round) {
    boolean again =
        outcomes.broken() == null
            && round < MAX_ROUNDS
            && !outcomes.isInDoubt()
            && (outcomes.anyRejected() || outcomes.isHot())
            && (!resolved.isUndivided(time.elapsedMs())
                || (outcomes.isHot() && picker.hasCommitDelay(resolved)));
    return again
        ? giveBack(runner, resolved, outcomes)
            .thenCompose(
                all -> {
                  if (all) {
                    return route(runner, resolved, round + 1);
                  }
                  return outcomes.anyRejected()
                      ? refused(runner, resolved, outcomes)
                      : failed(resolved, charged(outcomes.unavailable().failure().kind()));
                })
        : decide(runner, resolved, outcomes, round);
  }

  /** Part of the request is charged and is yet to be given back. */
  private static Outcome.Unavailable charged(StoreFailure.Kind kind) {
    return new Outcome.Unavailable(new StoreFailure(kind, null), /* mayBeCharged= */ true);
  }

  /**
   * Only the bucket that is known to be switched off is asked: the others would be charged for
   * nothing. It may know better.
   */
  private CompletableFuture<Acquisition> confirmDisabled(
      OperationRunner runner, ResolvedRequest resolved, Leg off, int round) {
    ResolvedRequest only = resolved.withLegs(List.of(off));
    return runner
        .commit(BucketOperation.acquire(off))
        .thenCompose(
            outcome -> {
              NewerConfig newer = NewerConfig.of(only, LegOutcomes.of(outcome));
              return newer.isEmpty()
                  ? done(disabled(off))
                  : resolveAgain(runner, resolved, newer, round);
            });
  }

  private CompletableFuture<Acquisition> decide(
      OperationRunner runner, ResolvedRequest resolved, LegOutcomes outcomes, int round) {
    NewerConfig newer = NewerConfig.of(resolved, outcomes);
    if (outcomes.broken() == null && newer.isEmpty() && outcomes.allAdmitted()) {
      return done(granted(resolved));
    }
    if (outcomes.broken() == null
        && newer.isEmpty()
        && outcomes.disabled() < 0
        && !outcomes.anyRejected()) {
      return unavailable(runner, resolved, outcomes);
    }
    return giveBack(runner, resolved, outcomes)
        .thenCompose(
            all -> {
              if (outcomes.broken() != null) {
                return CompletableFuture.failedFuture(outcomes.broken());
              }
              if (!newer.isEmpty()) {
                // What may be charged already must not come again: it may be charged twice.
                if (outcomes.isInDoubt()) {
                  return inDoubt(resolved, newer, outcomes.unavailable());
                }
                return all
                    ? resolveAgain(runner, resolved, newer, round)
                    : inDoubt(resolved, newer, charged(StoreFailure.Kind.TIMED_OUT));
              }
              return outcomes.disabled() >= 0
                  ? done(disabled(resolved.legs().get(outcomes.disabled())))
                  : refused(runner, resolved, outcomes);
            });
  }

  private CompletableFuture<Acquisition> inDoubt(
      ResolvedRequest resolved, NewerConfig newer, Outcome.Unavailable outcome) {
    DisabledBucket off = newer.off();
    return off == null ? failed(resolved, outcome) : done(new Acquisition.Disabled(off));
  }

  private CompletableFuture<Acquisition> refused(
      OperationRunner runner, ResolvedRequest resolved, LegOutcomes outcomes) {
    return forecast
        .complete(runner, resolved, outcomes)
        .thenApply(seen -> new Acquisition.Refused(forecast.rejection(resolved, outcomes, seen)));
  }

  /** Gives back what was charged; whether all of it is. */
  private CompletableFuture<Boolean> giveBack(
      OperationRunner runner, ResolvedRequest resolved, LegOutcomes outcomes) {
    List<Leg> charged = new ArrayList<>(resolved.legs().size());
    for (int i = 0; i < resolved.legs().size(); i++) {
      if (outcomes.isAdmitted(i)) {
        charged.add(resolved.legs().get(i));
      }
    }
    return settler.giveBack(runner, charged);
  }

  private CompletableFuture<Acquisition> resolveAgain(
      OperationRunner runner, ResolvedRequest resolved, NewerConfig newer, int round) {
    events.outdated(resolved.key());
    boolean inTime = runner.budget().leftMs() > 0;
    if (round < MAX_ROUNDS && inTime) {
      long after = resolver.records().looks(); // what was asked for before is out of date
      return resolve(runner, resolved.request(), after, newer, round + 1);
    }
    DisabledBucket off = newer.off();
    return off != null
        ? done(new Acquisition.Disabled(off))
        : failed(resolved, inTime && !isSlow(resolved) ? CONTENDED : OUT_OF_TIME);
  }

  /** Whether a bucket could not be made because every look takes too long to be new. */
  private static boolean isSlow(ResolvedRequest resolved) {
    return resolved.legs().stream()
        .anyMatch(leg -> !leg.mayCreate() && leg.bucket().snapshot() == null);
  }

  /** With ALLOW the legs that were charged stay charged: what can be counted is counted. */
  private CompletableFuture<Acquisition> unavailable(
      OperationRunner runner, ResolvedRequest resolved, LegOutcomes outcomes) {
    Outcome.Unavailable outcome = outcomes.unavailable();
    if (resolved.policy() == OnUnavailable.BLOCK) {
      return giveBack(runner, resolved, outcomes)
          .thenCompose(
              all ->
                  failed(
                      resolved,
                      new Outcome.Unavailable(outcome.failure(), outcome.mayBeCharged() || !all)));
    }
    reportUnavailable(resolved, outcome.failure());
    List<Boolean> charged = new ArrayList<>(resolved.legs().size());
    for (int i = 0; i < resolved.legs().size(); i++) {
      charged.add(outcomes.isAdmitted(i));
    }
    return done(lent(LeaseLedger.degraded(resolved, charged)));
  }

  private CompletableFuture<Acquisition> failed(
      ResolvedRequest resolved, Outcome.Unavailable outcome) {
    reportUnavailable(resolved, outcome.failure());
    if (resolved.policy() == OnUnavailable.ALLOW) {
      List<Boolean> none = resolved.legs().stream().map(leg -> false).toList();
      return done(lent(LeaseLedger.degraded(resolved, none)));
    }
    return CompletableFuture.failedFuture(
        StoreErrors.unavailable(resolved.key(), outcome.failure(), outcome.mayBeCharged()));
  }

  /** All legs in one transaction. */
  private CompletableFuture<Acquisition> commitTogether(
      OperationRunner runner, ResolvedRequest resolved, int round) {
    return transactional
        .commit(runner, resolved)
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
                NewerConfig newer = NewerConfig.of(drawn, outdated, result.joint());
                return resolveAgain(runner, resolved, newer, round);
              }
              TransactionProtocol.Outcome.Unavailable unavailable =
                  (TransactionProtocol.Outcome.Unavailable) outcome;
              return failed(
                  resolved,
                  new Outcome.Unavailable(unavailable.failure(), unavailable.mayBeCharged()));
            });
  }

  private Acquisition granted(ResolvedRequest resolved) {
    List<LimitStatus> overdrawn = forecast.overdrawn(resolved);
    Leg first = resolved.first();
    events.admitted(first.key(), first.amounts(), overdrawn);
    return lent(LeaseLedger.charged(resolved, overdrawn));
  }

  private void reportUnavailable(ResolvedRequest resolved, StoreFailure failure) {
    events.unavailable(resolved.key(), failure, resolved.policy());
  }

  /** Tells that a request was refused for good; one that waits may be refused many times. */
  void reportRefused(OperationRunner runner, Acquisition acquisition, AcquireRequest request) {
    BucketKey key = request.keyIn(resolver.namespaceOrName());
    if (acquisition instanceof Acquisition.Refused refused) {
      Rejection rejection = refused.rejection();
      demandSignal.refused(runner, key, rejection);
      events.refused(key, rejection);
    } else if (acquisition instanceof Acquisition.Disabled off) {
      events.disabled(key, off.disabled());
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
