package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How leases end: what they turned out to cost is brought into their buckets. */
final class Settling {
  private final LimiterCore core;

  Settling(LimiterCore core) {
    this.core = core;
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
      Runner runner, LeaseLedger ledger, List<LeaseLedger.Entry> entries) {
    boolean deferred = ledger.settlement() == Settlement.DEFERRED && !core.isClosed();
    List<LeaseLedger.Entry> now = new ArrayList<>(entries.size());
    for (LeaseLedger.Entry entry : entries) {
      drawIfNeeded(ledger, entry);
      Bucket bucket = core.bucket(entry.book().key());
      if (deferred && core.riders().defer(bucket, entry.terms(), runner, entry.amounts())) {
        ledger.wrote(entry);
      } else {
        now.add(entry);
      }
    }
    if (now.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Runner inTime = runner.within(Budget.of(core.options())); // queue and write together
    return Futures.all(inTime.commitAll(now.stream().map(this::order).toList()))
        .thenApply(outcomes -> settled(ledger, now, outcomes));
  }

  private void drawIfNeeded(LeaseLedger ledger, LeaseLedger.Entry entry) {
    if (!entry.book().isDrawn()) {
      ledger.draw(entry, core.drawing().any(core.bucket(entry.book().key())).key());
    }
  }

  private Order order(LeaseLedger.Entry entry) {
    return Order.settle(core.bucket(entry.book().key()), entry.terms(), entry.amounts());
  }

  private Optional<LimiterUnavailableException> settled(
      LeaseLedger ledger, List<LeaseLedger.Entry> entries, List<Outcome> outcomes) {
    LimiterUnavailableException failed = null;
    boolean surelyNot = false;
    for (int i = 0; i < outcomes.size(); i++) {
      BucketKey key = entries.get(i).book().key();
      tellSettled(key, entries.get(i).amounts(), outcomes.get(i));
      if (outcomes.get(i) instanceof Outcome.Unavailable unavailable) {
        surelyNot |= !unavailable.mayBeCharged();
        failed = LimiterCore.unavailable(key, unavailable.failure(), unavailable.mayBeCharged());
      }
      if (!isSurelyNotWritten(outcomes.get(i))) {
        ledger.wrote(entries.get(i));
      }
    }
    if (surelyNot) {
      ledger.reopen();
    }
    return ledger.policy() == OnUnavailable.ALLOW ? Optional.empty() : Optional.ofNullable(failed);
  }

  private static boolean isSurelyNotWritten(Outcome outcome) {
    return outcome instanceof Outcome.Unavailable unavailable && !unavailable.mayBeCharged();
  }

  private void tellSettled(BucketKey key, Amounts amounts, Outcome outcome) {
    if (outcome instanceof Outcome.Unavailable unavailable) {
      core.events().tell(listener -> listener.onSettleFailed(key, amounts, unavailable.failure()));
    } else {
      core.events().tell(listener -> listener.onSettled(key, amounts));
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
                    core.events()
                        .tell(
                            listener ->
                                listener.onSettleFailed(bucket.key(), demand.amounts(), failure));
                  }
                });
  }

  /**
   * Gives back what {@code legs} were charged, because the request as a whole was not granted.
   * Nobody will do so later, so what was surely not written is tried once more, with another write.
   *
   * @return whether all of it is given back by now
   */
  CompletableFuture<Boolean> giveBack(Runner runner, List<Leg> legs) {
    if (legs.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    core.events().tell(listener -> listener.onGivenBack(legs.get(0).key(), legs.size()));
    return Futures.all(runner.commitAll(legs.stream().map(Order::refund).toList()))
        .thenApply(
            outcomes -> {
              boolean all = true;
              for (int i = 0; i < outcomes.size(); i++) {
                all &= !(outcomes.get(i) instanceof Outcome.Unavailable);
                gaveBack(runner, legs.get(i), outcomes.get(i));
              }
              return all;
            });
  }

  private void gaveBack(Runner runner, Leg leg, Outcome outcome) {
    Amounts amounts = leg.amounts().negated();
    boolean again =
        isSurelyNotWritten(outcome)
            && !core.isClosed()
            && core.riders().defer(leg.bucket(), leg.terms(), runner, amounts);
    if (!again) {
      tellSettled(leg.key(), amounts, outcome);
    }
  }
}
