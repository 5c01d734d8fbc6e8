package dev.millrace.client.internal;

import dev.millrace.Acquisition;
import dev.millrace.Threads;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.store.Futures;
import dev.millrace.client.internal.write.BlockingRunner;

/** Waits for tokens on the caller's thread. */
final class BlockingWait {
  private final WaitLines lines;
  private final AcquireFlow flow;
  private final BlockingRunner runner;
  private final Threads threads;

  BlockingWait(WaitLines lines, AcquireFlow flow, BlockingRunner runner, Threads threads) {
    this.lines = lines;
    this.flow = flow;
    this.runner = runner;
    this.threads = threads;
  }

  Acquisition acquire(ResolvedRequest prepared, long maxWaitMs) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Waiter waiter = lines.enter(prepared, maxWaitMs);
    try {
      Acquisition acquisition;
      do { // ends: every round waits, and the time that is left only shrinks
        boolean unused = threads.await(waiter.turn(), Long.MAX_VALUE); // the line ends it in time
        if (waiter.turn().join() instanceof Waiter.Turn.Refused refused) {
          return new Acquisition.Refused(refused.rejection());
        }
        acquisition = Futures.get(flow.acquire(runner.of(waiter), prepared.request()));
      } while (lines.comesAgain(waiter, acquisition));
      return acquisition;
    } finally {
      lines.leave(waiter);
    }
  }
}
