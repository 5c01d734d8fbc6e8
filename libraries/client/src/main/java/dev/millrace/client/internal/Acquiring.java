package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.decision.Disabled;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.JointCommit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

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
final class Acquiring {
  /** How often a request is resolved because its buckets were ahead of it, or were missing. */
  static final int MAX_ROUNDS = 4;

  private static final Outcome.Unavailable OUT_OF_TIME =
      new Outcome.Unavailable(
          new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), /* mayBeCharged= */ false);

  private static final Outcome.Unavailable CONTENDED =
      new Outcome.Unavailable(
          new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false);

  private final LimiterCore core;
  private final Resolver resolver;
  private final Drawing drawing;
  private final Draws draws;
  private final JointDraws jointDraws;

  Acquiring(LimiterCore core, Resolver resolver) {
    this.core = core;
    this.resolver = resolver;
    this.drawing = new Drawing(core);
    this.draws = new Draws(core, drawing);
    this.jointDraws = new JointDraws(core, drawing);
  }

  Drawing drawing() {
    return drawing;
  }

  /** Resolves a request and brings it in. */
  CompletableFuture<Decision> acquire(Runner runner, AcquireRequest request) {
    Prepared prepared = resolver.now(request);
    return prepared != null
        ? bring(runner, prepared, 1)
        : resolve(runner, request, Resolver.ANY, Ahead.NOBODY, 1);
  }

  private CompletableFuture<Decision> resolve(
      Runner runner, AcquireRequest request, long after, Ahead ahead, int round) {
    return resolver
        .lookUp(runner, request, after)
        .thenCompose(
            preparation ->
                preparation instanceof Preparation.Ready ready
                    ? resolved(runner, ready.prepared(), ahead, round)
                    : done(unresolved(request, ahead, (Preparation.Unavailable) preparation)));
  }

  private CompletableFuture<Decision> resolved(
      Runner runner, Prepared prepared, Ahead ahead, int round) {
    Leg behind = ahead.behind(prepared);
    return behind == null ? bring(runner, prepared, round) : done(setBack(behind, ahead));
  }

  /**
   * What is stored is older than what a bucket follows: after a restore, or when records were
   * deleted by hand. Nobody can tell which limits hold, so nothing is admitted, whatever the
   * policy: the store is not away.
   */
  private Decision setBack(Leg leg, Ahead ahead) {
    core.tellConfigSetBack(leg, Objects.requireNonNull(ahead.stampOf(leg)));
    Disabled off = ahead.off();
    return off != null
        ? new Decision.Off(off)
        : new Decision.Failed(
            LimiterCore.unavailable(
                leg.key(),
                new StoreFailure(StoreFailure.Kind.SET_BACK, null),
                /* mayBeCharged= */ false));
  }

  /** What was seen to be switched off stays so, also when the store does not tell more of it. */
  private Decision unresolved(
      AcquireRequest request, Ahead ahead, Preparation.Unavailable unavailable) {
    Disabled off = ahead.off();
    return off == null ? unresolved(request, unavailable) : new Decision.Off(off);
  }

  /** The store did not tell what holds: answered as when it does not write. */
  Decision unresolved(AcquireRequest request, Preparation.Unavailable unavailable) {
    String namespace = core.namespaceOrName();
    BucketKey key = request.keyIn(namespace);
    core.events().tell(l -> l.onUnavailable(key, unavailable.failure(), unavailable.policy()));
    return unavailable.policy() == OnUnavailable.ALLOW
        ? new Decision.Granted(
            LeaseLedger.unresolved(request, namespace, core.options().settlement()))
        : new Decision.Failed(
            LimiterCore.unavailable(key, unavailable.failure(), /* mayBeCharged= */ false));
  }

  private CompletableFuture<Decision> bring(Runner runner, Prepared prepared, int round) {
    if (prepared.off() != null) {
      return done(new Decision.Off(prepared.off()));
    }
    Leg off = prepared.switchedOff();
    if (off != null) {
      return confirmOff(runner, prepared, off, round);
    }
    boolean plain = drawing.isPlain(prepared);
    if (prepared.legs().size() == 1 && prepared.prefetch()) {
      return prefetched(runner, prepared, plain, round);
    }
    return written(runner, prepared, plain, round);
  }

  /** Served from what was charged ahead, if there is any. */
  private CompletableFuture<Decision> prefetched(
      Runner runner, Prepared prepared, boolean plain, int round) {
    if (plain) {
      CompletableFuture<Decision> served =
          core.riders().serve(runner, prepared.first().bucket(), prepared);
      return served != null ? served : written(runner, prepared, /* plain= */ true, round);
    }
    return drawing
        .draw(runner, prepared.first(), Set.of(), drawing.untilMs())
        .thenCompose(
            leg -> {
              CompletableFuture<Decision> served =
                  leg == null
                      ? null
                      : core.riders().serve(runner, leg.bucket(), prepared.withLegs(List.of(leg)));
              return served != null ? served : written(runner, prepared, plain, round);
            });
  }

  private CompletableFuture<Decision> written(
      Runner runner, Prepared prepared, boolean plain, int round) {
    Decision known = core.views().refusal(prepared);
    if (known != null) {
      return done(known);
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
          .commit(Order.acquire(prepared.first()))
          .thenCompose(
              outcome ->
                  outcome instanceof Outcome.Admitted && !Ahead.isAhead(prepared.first())
                      ? done(core.granted(prepared)) // the way of most, without allocations
                      : undivided(runner, prepared, Ends.of(outcome), round));
    }
    List<Order> orders = new ArrayList<>(prepared.legs().size());
    for (Leg leg : prepared.legs()) {
      orders.add(Order.acquire(leg));
    }
    return Ends.of(forLegs(runner, prepared).commitAll(orders))
        .thenCompose(ends -> undivided(runner, prepared, ends, round));
  }

  /** Leaves time to give back what some of several legs were charged. */
  private static Runner forLegs(Runner runner, Prepared prepared) {
    return prepared.legs().size() == 1 ? runner : runner.within(runner.budget().beforeGivingBack());
  }

  /**
   * When the answer tells that a bucket is divided, or should be, a no was that of one shard: the
   * request comes again, and draws. One whose key was hot comes again also when fewer writes of
   * more requests may help. Nobody comes again who may be charged already.
   */
  private CompletableFuture<Decision> undivided(
      Runner runner, Prepared prepared, Ends ends, int round) {
    boolean again =
        ends.broken() == null
            && round < MAX_ROUNDS
            && !ends.isInDoubt()
            && (ends.anyRejected() || ends.isHot())
            && (!drawing.isPlain(prepared) || (ends.isHot() && drawing.lingers(prepared)));
    return again
        ? giveBack(runner, prepared, ends)
            .thenCompose(
                all -> {
                  if (all) {
                    return bring(runner, prepared, round + 1);
                  }
                  return ends.anyRejected()
                      ? refused(runner, prepared, ends)
                      : done(failed(prepared, charged(ends.unavailable().failure().kind())));
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
  private CompletableFuture<Decision> confirmOff(
      Runner runner, Prepared prepared, Leg off, int round) {
    Prepared only = prepared.withLegs(List.of(off));
    Decision known = core.views().refusal(only);
    if (known != null) {
      return done(known);
    }
    return runner
        .commit(Order.acquire(off))
        .thenCompose(
            outcome -> {
              Ahead ahead = Ahead.of(only, Ends.of(outcome));
              return ahead.isNobody() ? done(disabled(off)) : again(runner, prepared, ahead, round);
            });
  }

  private CompletableFuture<Decision> decide(
      Runner runner, Prepared prepared, Ends ends, int round) {
    Ahead ahead = Ahead.of(prepared, ends);
    if (ends.broken() == null && ahead.isNobody() && ends.allAdmitted()) {
      return done(core.granted(prepared));
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
                  return done(inDoubt(prepared, ahead, ends.unavailable()));
                }
                return all
                    ? again(runner, prepared, ahead, round)
                    : done(inDoubt(prepared, ahead, charged(StoreFailure.Kind.TIMED_OUT)));
              }
              return ends.disabled() >= 0
                  ? done(disabled(prepared.legs().get(ends.disabled())))
                  : refused(runner, prepared, ends);
            });
  }

  private Decision inDoubt(Prepared prepared, Ahead ahead, Outcome.Unavailable outcome) {
    Disabled off = ahead.off();
    return off == null ? failed(prepared, outcome) : new Decision.Off(off);
  }

  private CompletableFuture<Decision> refused(Runner runner, Prepared prepared, Ends ends) {
    return core.views()
        .complete(runner, prepared, ends)
        .thenApply(seen -> new Decision.Refused(core.views().rejection(prepared, ends, seen)));
  }

  /** Gives back what was charged; whether all of it is. */
  private CompletableFuture<Boolean> giveBack(Runner runner, Prepared prepared, Ends ends) {
    List<Leg> charged = new ArrayList<>(prepared.legs().size());
    for (int i = 0; i < prepared.legs().size(); i++) {
      if (ends.isAdmitted(i)) {
        charged.add(prepared.legs().get(i));
      }
    }
    return core.settling().giveBack(runner, charged);
  }

  private CompletableFuture<Decision> again(
      Runner runner, Prepared prepared, Ahead ahead, int round) {
    core.events().tell(listener -> listener.onOutdated(prepared.key()));
    boolean inTime = runner.budget().leftMs() > 0;
    if (round < MAX_ROUNDS && inTime) {
      long after = resolver.records().looks(); // what was asked for before is out of date
      return resolve(runner, prepared.request(), after, ahead, round + 1);
    }
    Disabled off = ahead.off();
    return done(
        off != null
            ? new Decision.Off(off)
            : failed(prepared, inTime && !isSlow(prepared) ? CONTENDED : OUT_OF_TIME));
  }

  /** Whether a bucket could not be made because every look takes too long to be new. */
  private static boolean isSlow(Prepared prepared) {
    return prepared.legs().stream()
        .anyMatch(leg -> !leg.mayCreate() && leg.bucket().sighting() == null);
  }

  static Decision disabled(Leg leg) {
    return new Decision.Off(new Disabled(leg.key().entityId(), leg.key().resource()));
  }

  /** With ALLOW the legs that were charged stay charged: what can be counted is counted. */
  private CompletableFuture<Decision> unavailable(Runner runner, Prepared prepared, Ends ends) {
    Outcome.Unavailable outcome = ends.unavailable();
    if (prepared.policy() == OnUnavailable.BLOCK) {
      return giveBack(runner, prepared, ends)
          .thenApply(
              all ->
                  failed(
                      prepared,
                      new Outcome.Unavailable(outcome.failure(), outcome.mayBeCharged() || !all)));
    }
    core.tellUnavailable(prepared, outcome.failure());
    List<Boolean> charged = new ArrayList<>(prepared.legs().size());
    for (int i = 0; i < prepared.legs().size(); i++) {
      charged.add(ends.isAdmitted(i));
    }
    return done(new Decision.Granted(LeaseLedger.degraded(prepared, charged)));
  }

  private Decision failed(Prepared prepared, Outcome.Unavailable outcome) {
    core.tellUnavailable(prepared, outcome.failure());
    if (prepared.policy() == OnUnavailable.ALLOW) {
      List<Boolean> none = prepared.legs().stream().map(leg -> false).toList();
      return new Decision.Granted(LeaseLedger.degraded(prepared, none));
    }
    return new Decision.Failed(
        LimiterCore.unavailable(prepared.key(), outcome.failure(), outcome.mayBeCharged()));
  }

  /** All legs in one transaction, in turn with those of this process that share the top bucket. */
  private CompletableFuture<Decision> together(Runner runner, Prepared prepared, int round) {
    Bucket top = top(prepared);
    CompletableFuture<Void> turn = top.turns().enter();
    if (turn == null) {
      return done(failed(prepared, (Outcome.Unavailable) core.queueFull(top)));
    }
    if (turn.isDone()) {
      return inTurn(runner, prepared, top, round);
    }
    return runner.after(
        turn,
        () -> {
          if (!turn.isDone() && top.turns().withdraw(turn)) {
            return done(failed(prepared, OUT_OF_TIME));
          }
          return inTurn(runner, prepared, top, round);
        });
  }

  /** The bucket of the first resource that most others draw on too. */
  private static Bucket top(Prepared prepared) {
    Bucket top = prepared.first().bucket();
    for (Leg leg : prepared.legs()) {
      if (leg.key().resource().equals(prepared.key().resource())) {
        top = leg.bucket();
      }
    }
    return top;
  }

  private CompletableFuture<Decision> inTurn(
      Runner runner, Prepared prepared, Bucket top, int round) {
    CompletableFuture<JointDraws.Result> committed;
    try {
      committed = jointDraws.commit(runner, prepared);
    } catch (RuntimeException | Error broken) {
      top.turns().leave();
      throw broken;
    }
    return committed
        .whenComplete((result, failure) -> top.turns().leave())
        .thenCompose(
            result -> {
              JointCommit.Outcome outcome = result.joint().outcome();
              Prepared drawn = result.prepared();
              if (outcome instanceof JointCommit.Outcome.Admitted) {
                return done(core.granted(drawn));
              }
              if (outcome instanceof JointCommit.Outcome.Rejected rejected) {
                return done(new Decision.Refused(rejected.rejection()));
              }
              if (outcome instanceof JointCommit.Outcome.Disabled off) {
                return done(disabled(drawn.legs().get(off.part())));
              }
              if (outcome instanceof JointCommit.Outcome.Outdated outdated) {
                Ahead ahead = Ahead.of(drawn, outdated, result.joint());
                return again(runner, prepared, ahead, round);
              }
              JointCommit.Outcome.Unavailable unavailable =
                  (JointCommit.Outcome.Unavailable) outcome;
              return done(
                  failed(
                      prepared,
                      new Outcome.Unavailable(unavailable.failure(), unavailable.mayBeCharged())));
            });
  }

  private static CompletableFuture<Decision> done(Decision decision) {
    return CompletableFuture.completedFuture(decision);
  }
}
