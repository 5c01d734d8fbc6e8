package dev.millrace.client.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.internal.lease.LeaseLedger;
import dev.millrace.client.internal.write.OperationRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A ledger in the hands of a caller. */
final class DefaultLease implements Lease {
  private final DefaultRateLimiter limiter;
  private final LeaseLedger ledger;

  DefaultLease(DefaultRateLimiter limiter, LeaseLedger ledger) {
    this.limiter = limiter;
    this.ledger = ledger;
  }

  @Override
  public String entityId() {
    return ledger.key().entityId();
  }

  @Override
  public String resource() {
    return ledger.key().resource();
  }

  @Override
  public LeaseState state() {
    return ledger.state();
  }

  @Override
  public boolean isDegraded() {
    return ledger.isDegraded();
  }

  @Override
  public boolean isPostponed() {
    return ledger.isPostponed();
  }

  @Override
  public List<LimitStatus> overdrawn() {
    return ledger.overdrawn();
  }

  @Override
  public long consumed(String resource, String limit) {
    return ledger.consumedMilli(resource, limit) / Limit.MILLI;
  }

  @Override
  public void adjust(String resource, String limit, long delta) {
    ledger.adjust(resource, limit, delta);
  }

  @Override
  public void release(String resource, String limit, long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException(
          "limit '" + limit + "': released amount " + amount + " must not be negative");
    }
    ledger.adjust(resource, limit, -amount);
  }

  @Override
  public void reopen() {
    ledger.reopenEnded();
  }

  @Override
  public void consume(Map<String, Long> tokens) {
    limiter.await(consume(limiter.waitingRunner, tokens));
  }

  @Override
  public CompletionStage<Void> consumeAsync(Map<String, Long> tokens) {
    return consume(limiter.asyncRunner(), tokens);
  }

  private CompletableFuture<Void> consume(OperationRunner runner, Map<String, Long> tokens) {
    ledger.requireOpen();
    AcquireRequest request = ledger.request().anew(tokens);
    limiter.check(request);
    ledger.requireRoom(tokens);
    if (!ledger.isCharging()) {
      ledger.grantUncharged(tokens);
      return CompletableFuture.completedFuture(null);
    }
    return limiter
        .flow
        .acquire(runner, request)
        .thenCompose(acquisition -> add(runner, limiter.reported(runner, request, acquisition)));
  }

  /** Takes over what was charged for this lease. */
  private CompletableFuture<Void> add(OperationRunner runner, Acquisition acquisition) {
    LeaseLedger more = ((DefaultLease) DefaultRateLimiter.leaseOrThrow(acquisition)).ledger;
    return ledger.add(more)
        ? CompletableFuture.completedFuture(null)
        // Cancelled while this was under way: nothing else gives it back later.
        : limiter.settler.cancel(runner, more).thenAccept(ignored -> {});
  }

  @Override
  public void close() {
    throwIfPresent(limiter.await(limiter.settler.close(limiter.waitingRunner, ledger)));
  }

  @Override
  public CompletionStage<Void> closeAsync() {
    return limiter
        .settler
        .close(limiter.asyncRunner(), ledger)
        .thenAccept(DefaultLease::throwIfPresent);
  }

  @Override
  public void cancel() {
    throwIfPresent(limiter.await(limiter.settler.cancel(limiter.waitingRunner, ledger)));
  }

  @Override
  public CompletionStage<Void> cancelAsync() {
    return limiter
        .settler
        .cancel(limiter.asyncRunner(), ledger)
        .thenAccept(DefaultLease::throwIfPresent);
  }

  private static void throwIfPresent(Optional<LimiterUnavailableException> failure) {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  @Override
  public String toString() {
    return "Lease[" + ledger.key() + " " + state() + (isDegraded() ? " degraded]" : "]");
  }
}
