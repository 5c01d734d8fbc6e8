package dev.millrace.client.internal.lease;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.shard.ShardPicker;
import dev.millrace.client.internal.store.CallBudget;
import dev.millrace.client.internal.store.Futures;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreErrors;
import dev.millrace.client.internal.write.OperationRunner;
import dev.millrace.client.internal.write.PendingSettlements;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Writes into the buckets of a lease what it turned out to cost, when it ends. */
public final class LeaseSettler {
  private static final CompletableFuture<Optional<LimiterUnavailableException>> NOTHING_FAILED =
      CompletableFuture.completedFuture(Optional.empty());

  private final CallBudget limit;
  private final Mirror mirror;
  private final ShardPicker picker;
  private final PendingSettlements pending;
  private final LimiterEvents events;

  public LeaseSettler(
      LimiterOptions options,
      Mirror mirror,
      ShardPicker picker,
      PendingSettlements pending,
      LimiterEvents events) {
    this.limit = CallBudget.of(options);
    this.mirror = mirror;
    this.picker = picker;
    this.pending = pending;
    this.events = events;
  }

  /** Ends a lease well; an exception in the result is the caller's to throw. */
  public CompletableFuture<Optional<LimiterUnavailableException>> close(
      OperationRunner runner, LeaseLedger ledger) {
    return settle(runner, ledger, ledger.close());
  }

  /** Takes a lease back. */
  public CompletableFuture<Optional<LimiterUnavailableException>> cancel(
      OperationRunner runner, LeaseLedger ledger) {
    return settle(runner, ledger, ledger.cancel());
  }

  private CompletableFuture<Optional<LimiterUnavailableException>> settle(
      OperationRunner runner, LeaseLedger ledger, List<LeaseLedger.Entry> entries) {
    if (entries.isEmpty()) {
      return NOTHING_FAILED;
    }
    boolean deferred = ledger.settlement() == Settlement.DEFERRED;
    List<LeaseLedger.Entry> now = new ArrayList<>(entries.size());
    for (LeaseLedger.Entry entry : entries) {
      pickShardIfNeeded(ledger, entry);
      BucketKey key = entry.book().key();
      if ((deferred || pending.isInDoubt(key))
          && pending.defer(key, entry.terms(), entry.amounts())) {
        ledger.postponed(entry);
      } else {
        now.add(entry);
      }
    }
    if (now.isEmpty()) {
      return NOTHING_FAILED;
    }
    OperationRunner inTime = runner.within(limit.again()); // queue and write together
    return Futures.all(inTime.commitAll(now.stream().map(this::operation).toList()))
        .thenApply(outcomes -> settled(ledger, now, outcomes));
  }

  private void pickShardIfNeeded(LeaseLedger ledger, LeaseLedger.Entry entry) {
    if (!entry.book().isDrawn()) {
      ledger.draw(entry, picker.any(mirror.bucket(entry.book().key())).key());
    }
  }

  private BucketOperation operation(LeaseLedger.Entry entry) {
    return BucketOperation.settle(
        mirror.bucket(entry.book().key()), entry.terms(), entry.amounts());
  }

  private Optional<LimiterUnavailableException> settled(
      LeaseLedger ledger, List<LeaseLedger.Entry> entries, List<Outcome> outcomes) {
    LimiterUnavailableException failed = null;
    boolean surelyNot = false;
    for (int i = 0; i < outcomes.size(); i++) {
      BucketKey key = entries.get(i).book().key();
      reportSettled(key, entries.get(i).amounts(), outcomes.get(i));
      if (outcomes.get(i) instanceof Outcome.Postponed) {
        ledger.postponed(entries.get(i));
      } else if (outcomes.get(i) instanceof Outcome.Unavailable unavailable) {
        failed = StoreErrors.unavailable(key, unavailable.failure(), unavailable.mayBeCharged());
        if (unavailable.mayBeCharged()) {
          ledger.wrote(entries.get(i));
        } else {
          surelyNot = true;
        }
      } else {
        ledger.wrote(entries.get(i));
      }
    }
    if (surelyNot) {
      ledger.reopen();
    }
    return ledger.policy() == OnUnavailable.ALLOW ? Optional.empty() : Optional.ofNullable(failed);
  }

  private void reportSettled(BucketKey key, Amounts amounts, Outcome outcome) {
    if (outcome instanceof Outcome.Unavailable unavailable) {
      events.settleFailed(key, amounts, unavailable.failure());
    } else if (outcome instanceof Outcome.Settled) {
      events.settled(key, amounts);
    }
  }

  /**
   * Gives back what {@code legs} were charged, because the request as a whole was not granted. What
   * was surely not written the limiter keeps, and writes later.
   *
   * @return whether all of it is given back by now
   */
  public CompletableFuture<Boolean> giveBack(OperationRunner runner, List<Leg> legs) {
    if (legs.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    events.givenBack(legs.get(0).key(), legs.size());
    return Futures.all(runner.commitAll(legs.stream().map(BucketOperation::refund).toList()))
        .thenApply(
            outcomes -> {
              boolean all = true;
              for (int i = 0; i < outcomes.size(); i++) {
                all &= outcomes.get(i) instanceof Outcome.Settled;
                reportGivenBack(legs.get(i), outcomes.get(i));
              }
              return all;
            });
  }

  private void reportGivenBack(Leg leg, Outcome outcome) {
    Amounts amounts = leg.amounts().negated();
    if (outcome instanceof Outcome.Unavailable unavailable) {
      pending.giveUp(leg.key(), amounts, unavailable.failure(), unavailable.mayBeCharged());
    } else {
      reportSettled(leg.key(), amounts, outcome);
    }
  }
}
