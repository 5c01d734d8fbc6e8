package dev.millrace.client.internal.store;

import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs conversations on whatever threads the store completes its answers with. */
public final class AsyncDriver {
  private final StoreMonitor monitor;
  private final AsyncStore store;

  public AsyncDriver(StoreMonitor monitor, AsyncStore store) {
    this.monitor = monitor;
    this.store = store;
  }

  public <R> CompletableFuture<R> run(Step<R> step, CallBudget budget) {
    if (!(step instanceof Step.Ask<R> ask)) {
      return CompletableFuture.completedFuture(((Step.Done<R>) step).result());
    }
    List<CompletableFuture<StoreReply>> replies = new ArrayList<>(ask.calls().size());
    for (StoreCall call : ask.calls()) {
      replies.add(exchange(call, budget));
    }
    // Depth is bounded: every conversation counts its attempts.
    return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
        .thenCompose(
            ignored -> {
              List<StoreReply> answers = new ArrayList<>(replies.size());
              for (CompletableFuture<StoreReply> reply : replies) {
                answers.add(reply.join()); // all are complete: does not wait
              }
              return run(ask.next().resume(answers, monitor.nowMs()), budget);
            });
  }

  private CompletableFuture<StoreReply> exchange(StoreCall call, CallBudget budget) {
    long timeoutMs = budget.timeoutMs(call);
    StoreReply answer = monitor.answerWithoutCall(call, budget, timeoutMs);
    return answer == null ? send(call, timeoutMs) : CompletableFuture.completedFuture(answer);
  }

  /** Makes a call, also while the store counts as away. */
  public CompletableFuture<StoreReply> send(StoreCall call, long timeoutMs) {
    StoreMonitor.Exchange exchange = monitor.begin(call, timeoutMs);
    try {
      return store
          .executeAsync(call, timeoutMs)
          .thenApply(exchange::received)
          .toCompletableFuture();
    } catch (Throwable thrown) { // also what a language threw that declares nothing
      return CompletableFuture.failedFuture(thrown);
    }
  }
}
