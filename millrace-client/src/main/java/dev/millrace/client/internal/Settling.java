package dev.millrace.client.internal;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;
import dev.millrace.core.store.StoreFailure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
      Runner runner, LeaseLedger ledger, @Nullable Amounts amounts) {
    if (amounts == null || amounts.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    Bucket bucket = core.bucket(ledger.key());
    boolean deferred = ledger.first().settlement() == Settlement.DEFERRED && !core.isClosed();
    if (deferred && core.riders().defer(bucket, runner, amounts)) {
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
        : Optional.of(
            LimiterCore.unavailable(key, unavailable.failure(), unavailable.mayBeCharged()));
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

  /** Gives back what was charged on a lease that was cancelled meanwhile. */
  CompletableFuture<Void> giveBack(Runner runner, BucketKey key, Amounts amounts) {
    Amounts refund = amounts.negated();
    return runner
        .commit(core.bucket(key), Demand.settle(refund))
        .thenAccept(outcome -> tellSettled(key, refund, outcome));
  }
}
