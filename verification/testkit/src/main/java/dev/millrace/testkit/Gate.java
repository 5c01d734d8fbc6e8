package dev.millrace.testkit;

import dev.millrace.testkit.internal.RealTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A gate that holds calls back until a test opens it; once open it stays open. See {@link
 * Fault#holdReply}.
 */
public final class Gate {
  private final CompletableFuture<Void> opened = new CompletableFuture<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private int arrivals;

  /** A closed gate. */
  public Gate() {}

  /** Lets everybody through, now and later. */
  public void open() {
    opened.complete(null);
  }

  /**
   * Waits until at least {@code count} calls have come to the gate. Fails when that does not happen
   * within {@code 30} real seconds.
   */
  public void awaitArrivals(int count) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      RealTime.await(arrived, () -> arrivals >= count, count + " calls did not come to the gate");
    } finally {
      lock.unlock();
    }
  }

  /** A call comes to the gate: the stage completes when it may go on. */
  CompletionStage<Void> arrive() {
    lock.lock();
    try {
      arrivals++;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
    return opened;
  }
}
