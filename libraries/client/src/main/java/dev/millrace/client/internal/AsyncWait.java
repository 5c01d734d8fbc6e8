package dev.millrace.client.internal;

import dev.millrace.Acquisition;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.write.OperationRunner;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** Waits for tokens without a thread. */
final class AsyncWait {
  private final WaitLines lines;
  private final AcquireFlow flow;
  private final OperationRunner runner;

  AsyncWait(WaitLines lines, AcquireFlow flow, OperationRunner runner) {
    this.lines = lines;
    this.flow = flow;
    this.runner = runner;
  }

  /**
   * Waits for an answer.
   *
   * @param handed the future in the caller's hands: once it is done, the caller waits no more
   */
  CompletableFuture<Acquisition> acquire(
      ResolvedRequest prepared, long maxWaitMs, CompletableFuture<?> handed) {
    Waiter waiter;
    try {
      waiter = lines.enter(prepared, maxWaitMs);
    } catch (LimiterUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<?> unused = handed.whenComplete((result, failure) -> lines.leave(waiter));
    return inTurn(waiter, handed).whenComplete((acquisition, failure) -> lines.leave(waiter));
  }

  private CompletableFuture<Acquisition> inTurn(Waiter waiter, CompletableFuture<?> handed) {
    return waiter
        .turn()
        .thenCompose(
            turn -> {
              if (handed.isDone()) {
                return CompletableFuture.failedFuture(new CancellationException());
              }
              return turn instanceof Waiter.Turn.Refused refused
                  ? CompletableFuture.completedFuture(new Acquisition.Refused(refused.rejection()))
                  : asked(waiter)
                      .thenCompose(
                          acquisition ->
                              lines.comesAgain(waiter, acquisition)
                                  ? inTurn(waiter, handed)
                                  : CompletableFuture.completedFuture(acquisition));
            });
  }

  private CompletableFuture<Acquisition> asked(Waiter waiter) {
    try {
      return flow.acquire(runner, waiter.prepared().request());
    } finally {
      waiter.arrived(); // what it wants is queued, or has to wait for something else
    }
  }
}
