package dev.millrace.simulator;

import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;

/** Checks that every call is answered, once and in time. */
final class Promptness {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final SimulatedWorld setting;
  private final Loop loop;
  private final Table table;
  private final Changes changes;
  private final Waiters waiters;
  private long answers;
  private long slowestPerMille;

  Promptness(SimulatedWorld setting, Loop loop, Table table, Changes changes) {
    this.setting = setting;
    this.loop = loop;
    this.table = table;
    this.changes = changes;
    this.waiters = new Waiters(loop, table, setting.nodes().size() == 1);
  }

  /** How many questions were answered. */
  long answers() {
    return answers;
  }

  /** The slowest answer to who does not wait, in thousandths of the time limit. */
  long slowestPerMille() {
    return slowestPerMille;
  }

  void asked(CallerRequest call) {
    if (call.ask().maxWaitMs() > 0) {
      waiters.asked(call);
    }
    long limitMs = call.ask().maxWaitMs() + call.life().spec().longestAnswerMs();
    loop.after(
        limitMs * NANOS_PER_MS + NANOS_PER_SECOND,
        () -> {
          if (!call.isAnswered() && call.life().isAlive()) {
            throw new Violation(
                Promise.NOBODY_WAITS_FOR_EVER,
                call.life().name() + " was not answered within " + limitMs + " ms: " + call.ask());
          }
        });
  }

  /** A bucket was changed. */
  void wrote(TableWrite write) {
    if (write.after() != null) { // one that is gone is as good as full
      waiters.wrote(write.before(), write.after(), this::isUnhindered);
    }
  }

  /** Whether nothing was in the way of a request that is, or was, under way. */
  private boolean isUnhindered(CallerRequest call) {
    for (SimulatedTree.Part part : call.parts()) {
      if (!part.sure() || !call.isClean(part.key())) {
        return false;
      }
    }
    return setting.isFair()
        && table.isFair(call.life().name())
        && call.life().hasSteadyClock()
        && !changes.isUnsettled(loop.nowNanos());
  }

  /** A request is about to be answered: it is granted. */
  void granted(CallerRequest call) {
    if (call.ask().maxWaitMs() > 0) {
      waiters.granted(call, this::isUnhindered);
    }
  }

  void answered(CallerRequest call) {
    if (call.isAnswered()) {
      throw new Violation(Promise.NO_BUGS, "answered twice: " + call.ask());
    }
    call.answered();
    call.life().answered();
    waiters.answered(call, this::isUnhindered);
    answers++;
    if (call.ask().maxWaitMs() == 0) {
      requireSoon(call);
    }
  }

  private void requireSoon(CallerRequest call) {
    NodeSpec spec = call.life().spec();
    long tookNanos = loop.nowNanos() - call.askedNanos();
    if (tookNanos > spec.longestAnswerMs() * NANOS_PER_MS) {
      throw new Violation(
          Promise.SAFE_WHEN_BROKEN,
          "answered after " + tookNanos / NANOS_PER_MS + " ms: " + call.ask());
    }
    slowestPerMille =
        Math.max(slowestPerMille, tookNanos / (spec.timeoutMs() * (NANOS_PER_MS / 1_000)));
  }
}
