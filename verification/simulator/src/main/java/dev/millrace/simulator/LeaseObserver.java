package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.simulator.oracle.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of leases: what is consumed beside, and how they end. */
final class LeaseObserver {
  private static final long NANOS_PER_MS = 1_000_000;

  private record Lent(CallerRequest call, Lease lease) {}

  /** A limit of a bucket. */
  private record LimitOfBucket(BucketKey key, String name) {}

  private final Loop loop;
  private final Table table;
  private final SimulatedTree tree;
  private final Accounts accounts;
  private final Coverage coverage;
  private final Trace trace;
  private final Map<CallerRequest, Lent> moreOf = new HashMap<>();

  LeaseObserver(
      Loop loop,
      Table table,
      SimulatedTree tree,
      Accounts accounts,
      Coverage coverage,
      Trace trace) {
    this.loop = loop;
    this.table = table;
    this.tree = tree;
    this.accounts = accounts;
    this.coverage = coverage;
    this.trace = trace;
  }

  /** A caller consumes more on its lease. */
  CallerRequest more(CallerRequest call, Lease lease) {
    String resource = call.ask().tokens().keySet().iterator().next();
    CallerRequest more =
        new CallerRequest(
            call.ask(),
            call.life(),
            Map.of(resource, call.ask().more()),
            tree.parts(call.ask().entity(), Map.of(resource, call.ask().more()), loop.nowNanos()),
            tree.parts(call.ask().entity(), call.ask().adjusts(), loop.nowNanos()),
            call.chain(),
            loop.nowNanos(),
            ExpectedAnswer.ANYTHING,
            table.applied());
    accounts.asked(more);
    moreOf.put(more, new Lent(call, lease));
    return more;
  }

  void grantedMore(CallerRequest more) {
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
    lent.call.adjustsAlso(more.adjusted());
  }

  void notGrantedMore(CallerRequest more, Throwable thrown) {
    Lent lent = moreOf.remove(more);
    if (!SimulatedCallers.isAnswer(thrown) && !more.life().isRetired()) {
      throw Violation.bug(more.ask(), thrown);
    }
    boolean certain =
        thrown instanceof LimiterUnavailableException unavailable
            ? Boolean.FALSE.equals(unavailable.attributes().get("mayBeCharged"))
            : more.isQuick(loop.nowNanos());
    accounts.notGranted(more, certain);
    if (lent != null && lent.lease.isDegraded()) {
      lent.call.degraded();
    }
  }

  /** A lease is about to end; null when it never is. */
  @Nullable LeaseSettlement ending(CallerRequest call, Lease lease) {
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
      for (SimulatedTree.Part part : call.charged()) {
        part.milli().forEach((limit, milli) -> add(amounts, part.key(), limit, -milli));
      }
    } else {
      addAdjusts(amounts, call);
      sawUnnamed(amounts, call);
    }
    LeaseSettlement settlement =
        new LeaseSettlement(
            call,
            amounts,
            !call.isDegraded(),
            call.life().spec().settlement() == dev.millrace.Settlement.DEFERRED,
            loop.nowNanos());
    accounts.settling(settlement);
    call.life().ending(1);
    return settlement;
  }

  /** Notes that a bucket is charged of which the request asked nothing. */
  private void sawUnnamed(Map<BucketKey, Map<String, Long>> amounts, CallerRequest call) {
    Set<BucketKey> asked = new HashSet<>();
    call.parts().forEach(part -> asked.add(part.key()));
    if (!asked.containsAll(amounts.keySet())) {
      coverage.saw(Event.SETTLED_UNNAMED);
    }
  }

  /**
   * An adjust reaches every bucket that the request drew on or could have drawn on, also one above
   * whom the entity came to belong to since: it charges whatever limits they have, asked for before
   * or not.
   */
  private void addAdjusts(Map<BucketKey, Map<String, Long>> amounts, CallerRequest call) {
    Action.Ask ask = call.ask();
    String resource = ask.tokens().keySet().iterator().next();
    Set<LimitOfBucket> reached = new HashSet<>();
    for (SimulatedTree.Part part : call.parts()) {
      if (part.key().resource().equals(resource)) {
        for (String limit : part.milli().keySet()) {
          addAdjust(amounts, ask, new LimitOfBucket(part.key(), limit), reached);
        }
      }
    }
    for (SimulatedTree.Part part : call.adjusted()) {
      for (String limit : part.milli().keySet()) {
        addAdjust(amounts, ask, new LimitOfBucket(part.key(), limit), reached);
      }
    }
    for (SimulatedTree.Part part : call.charged()) {
      LimitSet limits = tree.limits(part.key().entityId(), resource);
      if (limits != null && part.key().resource().equals(resource)) {
        for (Limit limit : limits) {
          addAdjust(amounts, ask, new LimitOfBucket(part.key(), limit.name()), reached);
        }
      }
    }
  }

  private static void addAdjust(
      Map<BucketKey, Map<String, Long>> amounts,
      Action.Ask ask,
      LimitOfBucket limit,
      Set<LimitOfBucket> reached) {
    if (reached.add(limit)) {
      long tokens = ask.adjust().getOrDefault(limit.name, 0L);
      add(amounts, limit.key, limit.name, tokens * Limit.MILLI);
    }
  }

  private static void add(
      Map<BucketKey, Map<String, Long>> amounts, BucketKey key, String limit, long milli) {
    if (milli != 0) {
      amounts.computeIfAbsent(key, absent -> new HashMap<>()).merge(limit, milli, Long::sum);
    }
  }

  void ended(LeaseSettlement settlement, @Nullable Throwable thrown) {
    CallerRequest call = settlement.call();
    if (thrown != null && !(thrown instanceof LimiterUnavailableException)) {
      throw Violation.bug(call.ask(), thrown);
    }
    call.life().ending(-1);
    coverage.saw(kind(settlement));
    trace.tell(
        loop.nowNanos(),
        call.life().name(),
        settlement.amounts().size(),
        () ->
            "end of "
                + RequestText.of(call.ask())
                + ": "
                + settlement.amounts()
                + (thrown == null ? "" : " failed: " + thrown));
    // Of a lease that could not be settled in one bucket, another's part may be deferred still.
    if (settlement.deferred()) {
      loop.after(
          (SimulatedWorld.MAX_DEFER_MS + call.life().spec().longestAnswerMs()) * NANOS_PER_MS,
          () -> accounts.settled(settlement, /* told= */ thrown == null));
    } else {
      accounts.settled(settlement, thrown == null);
    }
  }

  private static Event kind(LeaseSettlement settlement) {
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
}
