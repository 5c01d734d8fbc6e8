package dev.millrace.client.internal;

import dev.millrace.client.Threads;
import dev.millrace.client.TimeSource;
import dev.millrace.core.decision.Rejection;
import java.util.concurrent.CompletableFuture;

/** Waits on the caller's thread: for its turn, then for the tokens. */
final class BlockingWait {
  private final LimiterCore core;
  private final Runner runner;
  private final TimeSource time;
  private final Threads threads;

  BlockingWait(LimiterCore core, Runner runner) {
    this.core = core;
    this.runner = runner;
    this.time = core.options().time();
    this.threads = core.options().threads();
  }

  Decision acquire(Prepared prepared, long maxWaitMs) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    long endsAtMs = time.elapsedMs() + maxWaitMs;
    WaitLines.Ticket ticket = Waits.enter(core, prepared);
    try {
      if (!ticket.turn().isDone()) {
        Rejection hopeless = Waits.hopeless(core, prepared, ticket, maxWaitMs);
        if (hopeless != null) {
          return new Decision.Refused(hopeless);
        }
        await(ticket.turn(), maxWaitMs);
        if (!ticket.turn().isDone()) {
          return outOfTime(prepared, ticket);
        }
      }
      return asFirst(prepared, endsAtMs);
    } finally {
      core.lines().leave(ticket);
    }
  }

  private Decision asFirst(Prepared prepared, long endsAtMs) throws InterruptedException {
    Patience patience = new Patience();
    while (true) { // ends: every round waits, and the time that is left only shrinks
      Decision decision = Futures.get(core.acquire(runner, prepared.request()));
      if (!(decision instanceof Decision.Refused refused)) {
        return decision;
      }
      long leftMs = endsAtMs - time.elapsedMs();
      long delayMs = patience.nextDelayMs(refused.rejection(), leftMs);
      if (delayMs == Patience.GIVE_UP) {
        return decision;
      }
      await(new CompletableFuture<>(), delayMs);
    }
  }

  /** Time is over behind others: refused, unless what it wants is none of what they wait for. */
  private Decision outOfTime(Prepared prepared, WaitLines.Ticket ticket) {
    Rejection rejection = Waits.hopeless(core, prepared, ticket, /* leftMs= */ 0);
    return rejection == null
        ? Futures.get(core.acquire(runner, prepared.request()))
        : new Decision.Refused(rejection);
  }

  /** Waits until {@code event} happens, at most {@code maxMs}. */
  private void await(CompletableFuture<Void> event, long maxMs) throws InterruptedException {
    CompletableFuture<Void> timer = time.after(maxMs);
    try {
      boolean unused = threads.await(CompletableFuture.anyOf(event, timer), Long.MAX_VALUE);
    } finally {
      timer.complete(null);
    }
  }
}
