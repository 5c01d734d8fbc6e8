package dev.millrace.client.internal.mirror;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Lets transactions of one process that share a bucket take turns, first come, first served. Side
 * by side, each would make the others' locks stale, and most of them would be written in vain.
 */
public final class TransactionQueue {
  private final int maxWaiting;
  private final Executor background;
  private final ArrayDeque<CompletableFuture<Void>> waiting = new ArrayDeque<>(0);
  private boolean taken;

  public TransactionQueue(int maxWaiting, Executor background) {
    this.maxWaiting = maxWaiting;
    this.background = background;
  }

  /**
   * A turn: complete when it has come, null when too many wait already. Whose turn has come must
   * {@link #leave}.
   */
  public synchronized @Nullable CompletableFuture<Void> enter() {
    if (!taken) {
      taken = true;
      return CompletableFuture.completedFuture(null);
    }
    if (waiting.size() >= maxWaiting) {
      return null;
    }
    CompletableFuture<Void> turn = new CompletableFuture<>();
    waiting.add(turn);
    return turn;
  }

  /** Gives up a turn that has not come; false when it has come after all. */
  public synchronized boolean withdraw(CompletableFuture<Void> turn) {
    return waiting.removeIf(each -> each == turn);
  }

  /** Calls the next. */
  public void leave() {
    CompletableFuture<Void> next;
    synchronized (this) {
      next = waiting.poll();
      taken = next != null;
    }
    if (next != null) {
      // Elsewhere: a long row of turns must not become a deep stack.
      CompletableFuture<Void> unused = next.completeAsync(() -> null, background);
    }
  }
}
