package dev.millrace.client.internal;

import dev.millrace.client.TimeSource;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterUnavailableException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** Waits without a thread: for its turn, then for the tokens. */
final class AsyncWait {
  private final LimiterCore core;
  private final Runner runner;
  private final TimeSource time;

  AsyncWait(LimiterCore core, Runner runner) {
    this.core = core;
    this.runner = runner;
    this.time = core.options().time();
  }

  /**
   * Waits for a decision.
   *
   * @param handed the future in the caller's hands: once it is done, nobody waits any more
   */
  CompletableFuture<Decision> acquire(
      Prepared prepared, long maxWaitMs, CompletableFuture<?> handed) {
    long endsAtMs = time.elapsedMs() + maxWaitMs;
    WaitLines.Ticket ticket;
    try {
      ticket = Waits.enter(core, prepared);
    } catch (LimiterUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<?> unused =
        handed.whenComplete((result, failure) -> core.lines().leave(ticket));
    return inTurn(new Waiter(prepared, ticket, endsAtMs, new Patience(), handed), maxWaitMs)
        .whenComplete((decision, failure) -> core.lines().leave(ticket));
  }

  private record Waiter(
      Prepared prepared,
      WaitLines.Ticket ticket,
      long endsAtMs,
      Patience patience,
      CompletableFuture<?> handed) {}

  private CompletableFuture<Decision> inTurn(Waiter waiter, long maxWaitMs) {
    CompletableFuture<Void> turn = waiter.ticket.turn();
    if (turn.isDone()) {
      return asFirst(waiter);
    }
    Rejection hopeless = Waits.hopeless(core, waiter.prepared, waiter.ticket, maxWaitMs);
    if (hopeless != null) {
      return CompletableFuture.completedFuture(new Decision.Refused(hopeless));
    }
    CompletableFuture<Void> timer = time.after(maxWaitMs);
    return CompletableFuture.anyOf(turn, timer, waiter.handed)
        .thenCompose(
            ignored -> {
              timer.complete(null);
              return turn.isDone() ? asFirst(waiter) : outOfTime(waiter);
            });
  }

  private CompletableFuture<Decision> asFirst(Waiter waiter) {
    if (waiter.handed.isDone()) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    return core.acquire(runner, waiter.prepared.request())
        .thenCompose(
            decision -> {
              if (!(decision instanceof Decision.Refused refused)) {
                return CompletableFuture.completedFuture(decision);
              }
              long leftMs = waiter.endsAtMs - time.elapsedMs();
              long delayMs = waiter.patience.nextDelayMs(refused.rejection(), leftMs);
              return delayMs == Patience.GIVE_UP
                  ? CompletableFuture.completedFuture(decision)
                  : time.after(delayMs).thenCompose(ignored -> asFirst(waiter));
            });
  }

  /** See {@link BlockingWait}: the same rule. */
  private CompletableFuture<Decision> outOfTime(Waiter waiter) {
    if (waiter.handed.isDone()) {
      return CompletableFuture.failedFuture(new CancellationException());
    }
    Rejection rejection = Waits.hopeless(core, waiter.prepared, waiter.ticket, /* leftMs= */ 0);
    return rejection == null
        ? core.acquire(runner, waiter.prepared.request())
        : CompletableFuture.completedFuture(new Decision.Refused(rejection));
  }
}
