package dev.millrace.simulator;

import dev.millrace.Lease;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.Rejection;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Hears every question and every answer, and judges whether the answer was right. */
final class Judge {
  private static final long NANOS_PER_MS = 1_000_000;

  private final SimulatedWorld setting;
  private final Loop loop;
  private final Table table;
  private final Accounts accounts;
  private final Coverage coverage;
  private final Trace trace;
  private final Changes changes;
  private final Promptness promptness;
  private final Refusals refusals;
  private final Map<String, Long> lastGrantNanos = new HashMap<>();

  Judge(
      SimulatedWorld setting,
      Loop loop,
      Table table,
      Accounts accounts,
      Coverage coverage,
      Trace trace,
      Changes changes,
      Promptness promptness,
      Refusals refusals) {
    this.setting = setting;
    this.loop = loop;
    this.table = table;
    this.accounts = accounts;
    this.coverage = coverage;
    this.trace = trace;
    this.changes = changes;
    this.promptness = promptness;
    this.refusals = refusals;
  }

  void asked(CallerRequest call) {
    call.life().opened();
    call.begun(repairs(), coverage.count(Event.LOST_LOCK));
    accounts.asked(call);
    promptness.asked(call);
  }

  void granted(CallerRequest call, Lease lease) {
    if (!lease.isDegraded()) { // without a charge nothing is taken from those that came before
      promptness.granted(call);
    }
    answered(call, () -> "granted" + (lease.isDegraded() ? ", degraded" : ""));
    long nowNanos = loop.nowNanos();
    if (lease.isDegraded()) {
      coverage.saw(Event.GRANTED_DEGRADED);
      call.degraded();
      accounts.answered(call);
      if (!call.life().spec().allow()) {
        throw new Violation(
            Promise.SAFE_WHEN_BROKEN, "admitted without a charge, and the policy is BLOCK");
      }
    } else {
      coverage.saw(
          call.isSilent()
              ? Event.GRANTED_FROM_STOCK
              : call.ask().maxWaitMs() > 0 ? Event.GRANTED_AFTER_WAITING : Event.GRANTED);
      String where = call.life().name() + call.parts().get(0).key();
      Long last = lastGrantNanos.put(where, nowNanos);
      if (last != null && last == nowNanos && !call.isSilent()) {
        coverage.saw(Event.SHARED_WRITE);
      }
      accounts.granted(call);
      requireOn(call);
      if (call.isSilent()) {
        call.life().stock().served(call.parts().get(0).key(), nowNanos);
      }
      requireCheap(call);
    }
    if (call.expected() == ExpectedAnswer.REFUSED && nowNanos == call.askedNanos()) {
      throw new Violation(
          Promise.RETRY_AFTER, "granted a millisecond before the time it was told: " + call.ask());
    }
    call.charged(call.parts());
  }

  /**
   * With nobody else, an acquire costs one write for each of its buckets. A process that ever met
   * others, be it itself, is careful for a while.
   */
  private void requireCheap(CallerRequest call) {
    long writes = table.applied() - call.writesBefore();
    if (setting.solo()
        && call.wasAlone()
        && repairs() == call.repairsBefore()
        && !call.wereOthersMet()
        && writes > call.parts().size()) {
      throw new Violation(
          Promise.CONSTANT_COST,
          writes + " writes for " + call.parts().size() + " buckets: " + call.ask());
    }
  }

  /**
   * What makes an acquire cost more: a bucket that is not there is looked at first; one that turns
   * out to be divided is drawn on again; and a shard takes on other limits even when it is short.
   */
  private long repairs() {
    return coverage.count(Event.CREATED)
        + coverage.count(Event.GIVEN_BACK)
        + coverage.count(Event.REPARAMETERISED);
  }

  private void requireOn(CallerRequest call) {
    for (SimulatedTree.Part part : call.parts()) {
      String entity = part.key().entityId();
      long sinceNanos = loop.nowNanos() - call.askedNanos() + setting.believedNanos();
      if (part.sure() && changes.switches().isOffFor(entity, sinceNanos, loop.nowNanos())) {
        throw new Violation(
            Promise.CHANGES_ARRIVE,
            "granted for " + call.ask().entity() + " although " + entity + " has long been off");
      }
    }
  }

  void refused(CallerRequest call, Rejection rejection) {
    answered(call, () -> "refused, retry after " + rejection.retryAfterMs() + " ms");
    coverage.saw(
        call.ask().maxWaitMs() > 0
            ? Event.REFUSED_AFTER_WAITING
            : call.isSilent() ? Event.REFUSED_FROM_MIRROR : Event.REFUSED);
    if (rejection.retryAfterMs() == LimitStatus.NEVER) {
      coverage.saw(Event.REFUSED_FOR_EVER);
    }
    if (call.parts().stream().anyMatch(part -> table.isDivided(part.key()))) {
      coverage.saw(Event.REFUSED_BY_SHARDS);
    }
    if (rejection.violations().isEmpty() || rejection.retryAfterMs() <= 0) {
      throw new Violation(Promise.RETRY_AFTER, "refused without a reason or a time: " + rejection);
    }
    notGranted(call);
    refusals.require(call, rejection);
  }

  /** Nothing is charged, or what is charged is given back a little later. */
  private void notGranted(CallerRequest call) {
    if (call.isQuick(loop.nowNanos())) {
      accounts.notGranted(call, true);
    } else {
      giveTimeToGiveBack(call);
    }
  }

  /** How many writes were made. */
  long applied() {
    return table.applied();
  }

  void disabled(CallerRequest call) {
    answered(call, () -> "switched off");
    coverage.saw(Event.DISABLED);
    notGranted(call);
    long sinceNanos = loop.nowNanos() - call.askedNanos() + believedNanos(call);
    for (String entity : call.chain()) {
      if (!changes.switches().isSurelyOn(entity, sinceNanos, loop.nowNanos())) {
        return;
      }
    }
    throw new Violation(Promise.CHANGES_ARRIVE, "told that it is off: " + call.ask());
  }

  /** How long ago the configuration may have been that was believed for a request. */
  private long believedNanos(CallerRequest call) {
    boolean missed =
        call.life().missedLookNanos() >= call.askedNanos() - SimulatedWorld.USED_AGAIN_NANOS;
    return missed ? setting.believedUnansweredNanos() : setting.believedNanos();
  }

  /** An interrupt ended a wait. */
  void gaveUp(CallerRequest call) {
    answered(call, () -> "interrupted");
    accounts.notGranted(call, true);
  }

  /** The caller cancelled its future: what it took is given back a little later. */
  void cancelled(CallerRequest call) {
    answered(call, () -> "cancelled by its caller");
    coverage.saw(Event.FUTURE_CANCELLED);
    giveTimeToGiveBack(call);
  }

  /**
   * What was charged for somebody who has gone is given back, unless something goes wrong: after
   * its request was answered, with a write that may be deferred.
   */
  private void giveTimeToGiveBack(CallerRequest call) {
    long longestMs = call.life().spec().longestAnswerMs();
    loop.after(
        (longestMs + SimulatedWorld.MAX_DEFER_MS + longestMs) * NANOS_PER_MS,
        () -> accounts.notGranted(call, call.life().isAlive()));
  }

  void failed(CallerRequest call, Throwable thrown) {
    answered(call, () -> thrown.toString());
    if (thrown instanceof LimiterUnavailableException unavailable) {
      Object charged = unavailable.attributes().get("mayBeCharged");
      boolean mayBeCharged = Boolean.TRUE.equals(charged);
      coverage.saw(mayBeCharged ? Event.UNAVAILABLE_MAY_BE_CHARGED : Event.UNAVAILABLE);
      if (call.life().spec().allow() && charged != null) {
        throw new Violation(
            Promise.SAFE_WHEN_BROKEN, "unavailable, and the policy is ALLOW: " + thrown);
      }
      if (mayBeCharged) {
        giveTimeToGiveBack(call);
      } else {
        accounts.surelyNotGranted(call);
      }
    } else if (call.life().isRetired() && thrown instanceof IllegalStateException) {
      accounts.notGranted(call, true); // came a moment after it was closed
    } else {
      throw Violation.bug(call.ask(), thrown);
    }
  }

  private void answered(CallerRequest call, Supplier<String> what) {
    promptness.answered(call);
    trace.tell(
        loop.nowNanos(),
        call.life().name(),
        loop.nowNanos() - call.askedNanos(),
        () -> "answer to " + RequestText.of(call.ask()) + ": " + what.get());
  }
}
