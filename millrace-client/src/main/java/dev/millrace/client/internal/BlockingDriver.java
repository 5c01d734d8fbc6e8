package dev.millrace.client.internal;

import dev.millrace.core.protocol.Step;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.List;

/** Runs conversations on the caller's thread. */
final class BlockingDriver {
  private final LimiterCore core;
  private final BlockingStore store;

  BlockingDriver(LimiterCore core, BlockingStore store) {
    this.core = core;
    this.store = store;
  }

  /**
   * Carries out a conversation. An interrupt does not end it and is kept for the caller: clients
   * refuse to work on an interrupted thread, so a refund or a charge would be lost, and so would be
   * the requests of others that share the write. The time limit bounds it.
   */
  <R> R run(Step<R> first) {
    Step<R> step = first;
    if (step instanceof Step.Ask) {
      boolean interrupted = Thread.interrupted();
      try {
        Budget budget = Budget.of(core.options());
        while (step instanceof Step.Ask<R> ask) { // ends: every conversation counts its attempts
          List<StoreReply> replies = new ArrayList<>(ask.calls().size());
          for (StoreCall call : ask.calls()) {
            replies.add(exchange(call, budget));
            interrupted |= Thread.interrupted();
          }
          step = ask.next().resume(replies, core.clock().nowMs());
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
    return ((Step.Done<R>) step).result();
  }

  private StoreReply exchange(StoreCall call, Budget budget) {
    long timeoutMs = budget.timeoutMs(call);
    if (timeoutMs == 0) {
      return Exchange.outOfTime();
    }
    Exchange exchange = new Exchange(core, call);
    return exchange.received(store.execute(call, timeoutMs));
  }
}
