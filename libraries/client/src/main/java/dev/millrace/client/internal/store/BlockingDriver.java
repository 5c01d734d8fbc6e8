package dev.millrace.client.internal.store;

import dev.millrace.Threads;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs conversations on the caller's thread. */
public final class BlockingDriver {
  private final StoreMonitor monitor;
  private final BlockingStore store;
  private final HelperThreads helpers;
  private final Threads threads;

  public BlockingDriver(
      StoreMonitor monitor, BlockingStore store, HelperThreads helpers, Threads threads) {
    this.monitor = monitor;
    this.store = store;
    this.helpers = helpers;
    this.threads = threads;
  }

  /**
   * Carries out a conversation. An interrupt does not end it and is kept for the caller: clients
   * refuse to work on an interrupted thread, so a refund or a charge would be lost, and so would be
   * the requests of others that share the write. The time limit bounds it.
   */
  public <R> R run(Step<R> first, CallBudget budget) {
    Step<R> step = first;
    if (step instanceof Step.Ask) {
      boolean interrupted = Thread.interrupted();
      try {
        while (step instanceof Step.Ask<R> ask) { // ends: every conversation counts its attempts
          List<StoreReply> replies =
              ask.calls().size() == 1
                  ? List.of(exchange(ask.calls().get(0), budget))
                  : exchangeAll(ask.calls(), budget);
          interrupted |= Thread.interrupted();
          step = ask.next().resume(replies, monitor.nowMs());
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
    return ((Step.Done<R>) step).result();
  }

  /** All calls at the same time: the first here, the others by helpers as far as there are any. */
  private List<StoreReply> exchangeAll(List<StoreCall> calls, CallBudget budget) {
    List<CompletableFuture<StoreReply>> others = new ArrayList<>(calls.size() - 1);
    for (StoreCall call : calls.subList(1, calls.size())) {
      CompletableFuture<StoreReply> answer = new CompletableFuture<>();
      others.add(answer);
      Runnable task = () -> answer(answer, call, budget);
      if (!helpers.tryRun(task)) {
        task.run();
      }
    }
    List<StoreReply> replies = new ArrayList<>(calls.size());
    replies.add(exchange(calls.get(0), budget));
    for (CompletableFuture<StoreReply> other : others) {
      replies.add(result(other));
    }
    return replies;
  }

  private void answer(CompletableFuture<StoreReply> answer, StoreCall call, CallBudget budget) {
    try {
      answer.complete(exchange(call, budget));
    } catch (RuntimeException | Error broken) {
      answer.completeExceptionally(broken);
    }
  }

  /** Waits: every call has a time limit. An interrupt is kept for the caller. */
  private StoreReply result(CompletableFuture<StoreReply> answer) {
    boolean interrupted = false;
    try {
      while (!answer.isDone()) { // ends: with the time limit of the call
        try {
          boolean unused = threads.await(answer, Long.MAX_VALUE);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return Futures.get(answer);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private StoreReply exchange(StoreCall call, CallBudget budget) {
    long timeoutMs = budget.timeoutMs(call);
    StoreReply answer = monitor.answerWithoutCall(call, budget, timeoutMs);
    return answer == null ? send(call, timeoutMs) : answer;
  }

  private StoreReply send(StoreCall call, long timeoutMs) {
    StoreMonitor.Exchange exchange = monitor.begin(call, timeoutMs);
    try {
      return exchange.received(store.execute(call, timeoutMs));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception undeclared) { // from a store in a language that declares nothing
      throw Throwables.unchecked(undeclared);
    }
  }

  /** Asks whether the store is back, on a helper's thread; when none is free it is as if not. */
  public CompletableFuture<StoreReply> probe(StoreCall call, long timeoutMs) {
    CompletableFuture<StoreReply> answer = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            answer.complete(send(call, timeoutMs));
          } catch (RuntimeException | Error broken) {
            answer.completeExceptionally(broken);
          }
        };
    if (!helpers.tryRun(task)) {
      answer.complete(StoreMonitor.outOfTime());
    }
    return answer;
  }
}
