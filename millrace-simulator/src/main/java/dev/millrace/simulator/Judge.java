package dev.millrace.simulator;

import dev.millrace.client.LeaseView;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.simulator.oracle.ExactBucket;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.TableWrite;
import dev.millrace.simulator.oracle.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hears every question and every answer, and judges whether the answer was right. */
final class Judge {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** A mirror is believed for a second; a refusal may be wrong for so long, and a little more. */
  private static final long MIRROR_NANOS = 1_500 * NANOS_PER_MS;

  /** Rounding of clocks, and timers that are a little late. */
  private static final long GRACE_MS = 3;

  /** Who does not wait is answered within so many time limits. */
  private static final int MAX_TIME_LIMITS = 12;

  /** Conversations of which one answer may consist, each with its own time limit. */
  private static final int MAX_CONVERSATIONS = 12;

  private final Setting setting;
  private final Loop loop;
  private final Table table;
  private final Accounts accounts;
  private final Coverage coverage;
  private final Trace trace;
  private final Changes changes;
  private final Map<BucketKey, Long> lastWriteNanos;
  private final Waiters waiters;
  private final Map<String, Long> lastGrantNanos = new HashMap<>();
  private long answers;
  private long slowestPerMille;
  private @Nullable Retries retries;

  Judge(
      Setting setting,
      Loop loop,
      Table table,
      Accounts accounts,
      Coverage coverage,
      Trace trace,
      Changes changes,
      Map<BucketKey, Long> lastWriteNanos) {
    this.setting = setting;
    this.loop = loop;
    this.table = table;
    this.accounts = accounts;
    this.coverage = coverage;
    this.trace = trace;
    this.changes = changes;
    this.lastWriteNanos = lastWriteNanos;
    this.waiters = new Waiters(loop);
  }

  /** How many questions were answered. */
  long answers() {
    return answers;
  }

  /** The slowest answer to who does not wait, in thousandths of the time limit. */
  long slowestPerMille() {
    return slowestPerMille;
  }

  void asked(Call call) {
    call.life().opened();
    call.begun(coverage.count(Event.CREATED), coverage.count(Event.LOST_LOCK));
    accounts.asked(call);
    if (call.ask().maxWaitMs() > 0) {
      Map<BucketKey, BucketState> states = new HashMap<>();
      for (Tree.Part part : call.parts()) {
        BucketState state = table.state(part.key());
        if (state != null) {
          states.put(part.key(), state);
        }
      }
      waiters.asked(call, states);
    }
    long limitMs = call.ask().maxWaitMs() + MAX_CONVERSATIONS * call.life().spec().timeoutMs();
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
    if (write.before() != null && write.after() != null) {
      waiters.wrote(write.key(), write.before(), write.after(), this::isUnhindered);
    }
  }

  /** Whether nothing was in the way of a request that is, or was, under way. */
  private boolean isUnhindered(Call call) {
    for (Tree.Part part : call.parts()) {
      if (!part.sure() || !call.isClean(part.key())) {
        return false;
      }
    }
    return setting.isFair()
        && table.isFair(call.life().name())
        && call.life().hasSteadyClock()
        && !changes.isUnsettled(loop.nowNanos());
  }

  void granted(Call call, LeaseView lease) {
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
    if (call.expected() == Expected.REFUSED && nowNanos == call.askedNanos()) {
      throw new Violation(
          Promise.RETRY_AFTER, "granted a millisecond before the time it was told: " + call.ask());
    }
    call.charged(call.parts());
  }

  /**
   * With nobody else, an acquire costs one write for each of its buckets. A process that ever met
   * others, be it itself, is careful for a while.
   */
  private void requireCheap(Call call) {
    long writes = table.applied() - call.writesBefore();
    long creations = coverage.count(Event.CREATED); // making a bucket needs a fresh look first
    if (setting.solo()
        && call.wasAlone()
        && creations == call.creationsBefore()
        && !call.wereOthersMet()
        && writes > call.parts().size()) {
      throw new Violation(
          Promise.CONSTANT_COST,
          writes + " writes for " + call.parts().size() + " buckets: " + call.ask());
    }
  }

  private void requireOn(Call call) {
    for (Tree.Part part : call.parts()) {
      String entity = part.key().entityId();
      long sinceNanos = loop.nowNanos() - call.askedNanos() + setting.believedNanos();
      if (part.sure() && changes.switches().isOffFor(entity, sinceNanos, loop.nowNanos())) {
        throw new Violation(
            Promise.CHANGES_ARRIVE,
            "granted for " + call.ask().entity() + " although " + entity + " has long been off");
      }
    }
  }

  void refused(Call call, Rejection rejection) {
    answered(call, () -> "refused, retry after " + rejection.retryAfterMs() + " ms");
    coverage.saw(
        call.ask().maxWaitMs() > 0
            ? Event.REFUSED_AFTER_WAITING
            : call.isSilent() ? Event.REFUSED_FROM_MIRROR : Event.REFUSED);
    if (rejection.retryAfterMs() == LimitStatus.NEVER) {
      coverage.saw(Event.REFUSED_FOR_EVER);
    }
    if (rejection.violations().isEmpty() || rejection.retryAfterMs() <= 0) {
      throw new Violation(Promise.RETRY_AFTER, "refused without a reason or a time: " + rejection);
    }
    notGranted(call);
    if (call.expected() == Expected.GRANTED) {
      throw new Violation(
          Promise.RETRY_AFTER, "refused at the time it was told: " + call.ask() + ": " + rejection);
    }
    requireSoon(call, rejection);
    requirePatient(call, rejection);
    if (call.ask().maxWaitMs() == 0
        && call.life().spec().settlement() != dev.millrace.core.request.Settlement.DEFERRED) {
      requireJustified(call);
    }
    if (setting.solo() && call.ask().maxWaitMs() == 0 && call.wasAlone()) {
      requireExact(call, rejection);
    }
  }

  /** Who waits is not sent away while waiting on would have helped. */
  private void requirePatient(Call call, Rejection rejection) {
    long waitedMs = (loop.nowNanos() - call.askedNanos()) / NANOS_PER_MS;
    long maxWaitMs = call.ask().maxWaitMs();
    if (maxWaitMs > 0
        && rejection.retryAfterMs() != LimitStatus.NEVER
        && waitedMs + rejection.retryAfterMs() + GRACE_MS < maxWaitMs) {
      throw new Violation(
          Promise.NOBODY_WAITS_FOR_EVER,
          "refused after "
              + waitedMs
              + " ms, to be granted "
              + rejection.retryAfterMs()
              + " ms later, by a caller that waits "
              + maxWaitMs
              + " ms");
    }
  }

  /**
   * Nobody waits longer than an empty bucket takes to fill, and for a timestamp that is ahead as
   * far as is believed.
   */
  private static void requireSoon(Call call, Rejection rejection) {
    for (LimitStatus status : rejection.statuses()) {
      long fillMs = ExactBucket.fillMs(status.limit(), status.availableMilli());
      long longestMs = fillMs + PlanSettings.DEFAULT.maxSkewMs() + GRACE_MS;
      if (status.retryAfterMs() != LimitStatus.NEVER && status.retryAfterMs() > longestMs) {
        throw new Violation(
            Promise.RETRY_AFTER,
            "told to retry after more than " + longestMs + " ms: " + status + " for " + call.ask());
      }
    }
  }

  /**
   * Within half of the time limit nothing is given up and left for later, unless a thread is
   * interrupted. Who waits asks again and again; then nothing is left for later if none of its
   * buckets is being written.
   */
  private boolean isQuick(Call call) {
    if (call.life().interruptedNanos() >= call.askedNanos()) {
      return false;
    }
    if ((loop.nowNanos() - call.askedNanos()) * 2 < call.life().spec().timeoutMs() * NANOS_PER_MS) {
      return true;
    }
    return call.ask().maxWaitMs() > 0
        && call.parts().stream().noneMatch(part -> call.life().isWriting(part.key()));
  }

  /** Nothing is charged, or what is charged is given back a little later. */
  private void notGranted(Call call) {
    if (isQuick(call)) {
      accounts.notGranted(call, true);
    } else {
      giveTimeToGiveBack(call);
    }
  }

  /** Nobody is refused when all the tokens have been there for longer than a mirror is believed. */
  private void requireJustified(Call call) {
    long nowNanos = loop.nowNanos();
    for (Tree.Part part : call.parts()) {
      BucketState state = table.state(part.key());
      Long written = lastWriteNanos.get(part.key());
      boolean mayBeShort =
          state == null
              || written == null
              || !part.sure()
              || nowNanos - written < MIRROR_NANOS + (nowNanos - call.askedNanos())
              || !call.isClean(part.key())
              || changes.isUnsettled(nowNanos);
      if (mayBeShort || !hasAll(state, part, call.life().effectiveMs())) {
        return;
      }
    }
    throw new Violation(
        Promise.RETRY_AFTER, "refused although everything was there: " + call.ask());
  }

  private static boolean hasAll(@Nullable BucketState state, Tree.Part part, long nowMs) {
    if (state == null) {
      return false;
    }
    for (Map.Entry<String, Long> want : part.milli().entrySet()) {
      // A moment ago: a clock that is set while somebody asks is no lie.
      if (ExactBucket.waitMs(state, want.getKey(), want.getValue(), nowMs - 1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** With nobody else, retry-after is exact to the millisecond. */
  private void requireExact(Call call, Rejection rejection) {
    long nowMs = call.life().effectiveMs();
    long exactMs = 0;
    for (Tree.Part part : call.parts()) {
      BucketState state = table.state(part.key());
      if (state == null) {
        return;
      }
      for (Map.Entry<String, Long> want : part.milli().entrySet()) {
        long waitMs = ExactBucket.waitMs(state, want.getKey(), want.getValue(), nowMs);
        exactMs = waitMs < 0 ? LimitStatus.NEVER : Math.max(exactMs, waitMs);
      }
    }
    if (rejection.retryAfterMs() != Math.max(1, exactMs)) {
      throw new Violation(
          Promise.RETRY_AFTER,
          "told to retry after "
              + rejection.retryAfterMs()
              + " ms, exact are "
              + exactMs
              + " ms: "
              + rejection);
    }
    if (retries != null && exactMs != LimitStatus.NEVER && exactMs > 0) {
      retries.retry(call, exactMs);
    }
  }

  /** Asks again what was refused, at the exact time. */
  interface Retries {
    void retry(Call call, long exactMs);
  }

  void retries(Retries asker) {
    this.retries = asker;
  }

  /** How many writes were made. */
  long applied() {
    return table.applied();
  }

  void disabled(Call call) {
    answered(call, () -> "switched off");
    coverage.saw(Event.DISABLED);
    notGranted(call);
    long sinceNanos = loop.nowNanos() - call.askedNanos() + setting.believedNanos();
    for (String entity : call.chain()) {
      if (!changes.switches().isSurelyOn(entity, sinceNanos, loop.nowNanos())) {
        return;
      }
    }
    throw new Violation(Promise.CHANGES_ARRIVE, "told that it is off: " + call.ask());
  }

  /** An interrupt ended a wait. */
  void gaveUp(Call call) {
    answered(call, () -> "interrupted");
    accounts.notGranted(call, true);
  }

  /** The caller cancelled its future: what it took is given back a little later. */
  void cancelled(Call call) {
    answered(call, () -> "cancelled by its caller");
    coverage.saw(Event.FUTURE_CANCELLED);
    giveTimeToGiveBack(call);
  }

  /** What was charged for somebody who has gone is given back, unless something goes wrong. */
  private void giveTimeToGiveBack(Call call) {
    loop.after(
        MAX_CONVERSATIONS * call.life().spec().timeoutMs() * NANOS_PER_MS,
        () -> accounts.notGranted(call, call.life().isAlive()));
  }

  void failed(Call call, Throwable thrown) {
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
      throw bug(call, thrown);
    }
  }

  private static Violation bug(Call call, Throwable thrown) {
    Violation violation = new Violation(Promise.NO_BUGS, call.ask() + " threw " + thrown);
    violation.initCause(thrown);
    return violation;
  }

  private void answered(Call call, Supplier<String> what) {
    if (call.isAnswered()) {
      throw new Violation(Promise.NO_BUGS, "answered twice: " + call.ask());
    }
    call.answered();
    call.life().answered();
    waiters.answered(call, this::isUnhindered);
    answers++;
    long tookNanos = loop.nowNanos() - call.askedNanos();
    if (call.ask().maxWaitMs() == 0) {
      long limitMs = MAX_TIME_LIMITS * call.life().spec().timeoutMs();
      if (tookNanos > limitMs * NANOS_PER_MS) {
        throw new Violation(
            Promise.SAFE_WHEN_BROKEN,
            "answered after " + tookNanos / NANOS_PER_MS + " ms: " + call.ask());
      }
      slowestPerMille =
          Math.max(
              slowestPerMille,
              tookNanos / (call.life().spec().timeoutMs() * (NANOS_PER_MS / 1_000)));
    }
    trace.tell(
        loop.nowNanos(),
        call.life().name(),
        tookNanos,
        () -> "answer to " + Asked.of(call.ask()) + ": " + what.get());
  }

  /** A caller consumes more on its lease. */
  Call more(Call call, LeaseView lease, Tree current) {
    String resource = call.ask().tokens().keySet().iterator().next();
    Call more =
        new Call(
            call.ask(),
            call.life(),
            Map.of(resource, call.ask().more()),
            current.parts(
                call.ask().entity(), Map.of(resource, call.ask().more()), loop.nowNanos()),
            call.chain(),
            loop.nowNanos(),
            Expected.ANYTHING,
            table.applied());
    accounts.asked(more);
    moreOf.put(more, new Lent(call, lease));
    return more;
  }

  private record Lent(Call call, LeaseView lease) {}

  private final Map<Call, Lent> moreOf = new HashMap<>();

  void grantedMore(Call more) {
    coverage.saw(Event.CONSUMED_MORE);
    Lent lent = moreOf.remove(more);
    if (lent == null) {
      return;
    }
    if (lent.lease.isDegraded()) {
      lent.call.degraded();
      accounts.answered(more);
    } else {
      accounts.granted(more);
    }
    lent.call.charged(more.parts());
  }

  void notGrantedMore(Call more, Throwable thrown) {
    Lent lent = moreOf.remove(more);
    if (!Callers.isAnswer(thrown) && !more.life().isRetired()) {
      throw bug(more, thrown);
    }
    boolean certain =
        thrown instanceof LimiterUnavailableException unavailable
            ? Boolean.FALSE.equals(unavailable.attributes().get("mayBeCharged"))
            : isQuick(more);
    accounts.notGranted(more, certain);
    if (lent != null && lent.lease.isDegraded()) {
      lent.call.degraded();
    }
  }

  /** A lease is about to end; null when it never is. */
  @Nullable Settlement ending(Call call, LeaseView lease, Tree current) {
    Action.Ask ask = call.ask();
    if (ask.end() == Action.End.LEAVE_OPEN) {
      coverage.saw(Event.LEFT_OPEN);
      return null;
    }
    if (lease.isDegraded()) {
      call.degraded();
    }
    Map<BucketKey, Map<String, Long>> amounts = new HashMap<>();
    if (ask.end() == Action.End.CANCEL) {
      for (Tree.Part part : call.charged()) {
        part.milli().forEach((limit, milli) -> add(amounts, part.key(), limit, -milli));
      }
    } else {
      addAdjusts(amounts, call, current);
    }
    Settlement settlement =
        new Settlement(
            call,
            amounts,
            !call.isDegraded(),
            call.life().spec().settlement() == dev.millrace.core.request.Settlement.DEFERRED);
    accounts.settling(settlement);
    call.life().ending(1);
    return settlement;
  }

  /**
   * An adjust reaches every bucket that the lease has charged, also one above whom the entity came
   * to belong to since: of that one it charges whatever limits it has, asked for before or not.
   */
  private static void addAdjusts(
      Map<BucketKey, Map<String, Long>> amounts, Call call, Tree current) {
    Action.Ask ask = call.ask();
    String resource = ask.tokens().keySet().iterator().next();
    Set<BucketKey> reached = new HashSet<>();
    for (Tree.Part part : call.parts()) {
      if (part.key().resource().equals(resource) && reached.add(part.key())) {
        for (String limit : part.milli().keySet()) {
          add(amounts, part.key(), limit, ask.adjust().getOrDefault(limit, 0L) * Limit.MILLI);
        }
      }
    }
    for (Tree.Part part : call.charged()) {
      LimitSet limits = current.limits(part.key().entityId(), resource);
      if (limits != null && part.key().resource().equals(resource) && reached.add(part.key())) {
        for (Limit limit : limits) {
          add(
              amounts,
              part.key(),
              limit.name(),
              ask.adjust().getOrDefault(limit.name(), 0L) * Limit.MILLI);
        }
      }
    }
  }

  private static void add(
      Map<BucketKey, Map<String, Long>> amounts, BucketKey key, String limit, long milli) {
    if (milli != 0) {
      amounts.computeIfAbsent(key, absent -> new HashMap<>()).merge(limit, milli, Long::sum);
    }
  }

  void ended(Settlement settlement, @Nullable Throwable thrown) {
    Call call = settlement.call();
    if (thrown != null && !(thrown instanceof LimiterUnavailableException)) {
      throw bug(call, thrown);
    }
    call.life().ending(-1);
    coverage.saw(kind(settlement));
    trace.tell(
        loop.nowNanos(),
        call.life().name(),
        settlement.amounts().size(),
        () ->
            "end of "
                + Asked.of(call.ask())
                + ": "
                + settlement.amounts()
                + (thrown == null ? "" : " failed: " + thrown));
    if (settlement.deferred() && thrown == null) {
      loop.after(
          (Setting.MAX_DEFER_MS + MAX_CONVERSATIONS * call.life().spec().timeoutMs())
              * NANOS_PER_MS,
          () -> accounts.settled(settlement, /* told= */ true));
    } else {
      accounts.settled(settlement, thrown == null);
    }
  }

  private static Event kind(Settlement settlement) {
    if (settlement.call().ask().end() == Action.End.CANCEL) {
      return Event.CANCELLED;
    }
    if (settlement.deferred()) {
      return Event.SETTLED_DEFERRED;
    }
    boolean up =
        settlement.amounts().values().stream()
            .flatMap(limits -> limits.values().stream())
            .anyMatch(milli -> milli > 0);
    return up ? Event.SETTLED_UP : Event.SETTLED_DOWN;
  }

  /**
   * The bucket must have the limits that are stored. Where operators were not told that their
   * change is done, it need not know before somebody claims.
   *
   * @param claimedMs up to when it had been claimed when all had to know
   */
  void requireCurrent(BucketKey key, long claimedMs) {
    LimitSet set = table.limits(key);
    BucketState state = table.state(key);
    boolean told = changes.limits().get(key.entityId() + "/" + key.resource()) != null;
    if (set == null || state == null || (!told && state.refilledAtMs() == claimedMs)) {
      return;
    }
    for (Limit limit : set) {
      LimitState stored = state.find(limit.name());
      if (stored == null || !stored.limit().equals(limit)) {
        throw new Violation(
            Promise.CHANGES_ARRIVE,
            key
                + " goes by "
                + (stored == null ? "nothing" : stored.limit())
                + ", not by "
                + limit);
      }
    }
  }

  /** Whether everybody who charged a bucket got all answers and ended in good order. */
  private static boolean isCertain(List<Life> lives, BucketKey key) {
    for (Life life : lives) {
      if (life.spec().prefetch() && (!life.isAlive() || life.troubles(key) > 0)) {
        return false;
      }
    }
    return true;
  }

  /** What must hold when everything is over and everybody has gone. */
  void finale(List<Life> lives) {
    accounts.nothingAhead(key -> isCertain(lives, key));
    for (Life life : lives) {
      if (life.isAlive() && life.open() > 0) {
        throw new Violation(
            Promise.NOBODY_WAITS_FOR_EVER, life.open() + " callers of " + life.name() + " wait");
      }
      if (life.isAlive() && life.threads() > 0) {
        throw new Violation(
            Promise.BOUNDED_MEMORY, life.threads() + " threads of " + life.name() + " are left");
      }
      if (life.isAlive() && life.time().timers() > 0) {
        throw new Violation(
            Promise.BOUNDED_MEMORY,
            life.time().timers() + " timers of " + life.name() + " are left");
      }
    }
  }
}
