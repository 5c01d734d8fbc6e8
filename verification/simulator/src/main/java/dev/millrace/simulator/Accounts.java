package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.simulator.oracle.ChargeLedger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Keeps the {@link ChargeLedger} by what callers ask and are told. An amount that is under way may
 * be charged or not; what became of it is certain when the caller was told and nothing went wrong
 * with the bucket meanwhile.
 */
final class Accounts {
  private final ChargeLedger books;
  private final Map<Life, Set<CallerRequest>> asking = new HashMap<>();
  private final Map<Life, List<LeaseSettlement>> open = new HashMap<>();
  private final GoneLimits gone;
  private final List<PendingCharge> owed = new ArrayList<>();
  private long buckets;

  /** A part of a settlement that was told and not written at once, as far as was known. */
  private record PendingCharge(
      LeaseSettlement settlement, BucketKey key, String limit, long milli) {}

  Accounts(ChargeLedger books, GoneLimits gone) {
    this.books = books;
    this.gone = gone;
  }

  /** How many buckets requests and settlements were about, each time. */
  long buckets() {
    return buckets;
  }

  /** A caller asks for {@code parts}: from now on they may be charged. */
  void asked(CallerRequest call) {
    boolean ahead = call.life().spec().prefetch();
    buckets += call.parts().size();
    asking.computeIfAbsent(call.life(), absent -> new LinkedHashSet<>()).add(call);
    forEach(
        call,
        (part, limit, milli) -> {
          books.add(part.key(), limit, 0, milli);
          call.life().givenBack(part.key(), limit, milli);
          if (ahead) {
            books.openAbove(part.key(), limit, true);
          }
        });
  }

  /** Somebody begins to move: whoever is asking for it may be charged here or there. */
  void moving(String entity, SimulatedTree tree, long nowNanos) {
    for (Set<CallerRequest> calls : asking.values()) {
      for (CallerRequest call : calls) {
        if (call.chain().contains(entity)) {
          moving(call, tree, nowNanos);
        }
      }
    }
  }

  private void moving(CallerRequest call, SimulatedTree tree, long nowNanos) {
    Set<BucketKey> known = new LinkedHashSet<>();
    call.parts().forEach(part -> known.add(part.key()));
    call.moves(
        tree.parts(call.ask().entity(), call.wants(), nowNanos),
        tree.parts(call.ask().entity(), call.ask().adjusts(), nowNanos),
        tree.chain(call.ask().entity(), nowNanos));
    forEach(
        call,
        (part, limit, milli) -> {
          if (!known.contains(part.key())) {
            books.add(part.key(), limit, 0, milli);
            call.life().givenBack(part.key(), limit, milli);
          }
        });
  }

  /** It was granted: they are charged. */
  void granted(CallerRequest call) {
    answered(call);
    forEach(
        call,
        (part, limit, milli) -> {
          call.life().givenBack(part.key(), limit, -milli);
          if (part.sure()) {
            books.add(part.key(), limit, milli, 0);
          }
        });
    check(call);
  }

  /**
   * It was not granted: nothing is charged, unless something went wrong.
   *
   * @param certain whether the caller was told that nothing may be charged
   */
  void notGranted(CallerRequest call, boolean certain) {
    notGranted(call, part -> certain && call.isClean(part.key()));
  }

  /**
   * It was told that surely nothing is charged. Whatever went wrong, that must be so; only of those
   * who come again it is said of the last time alone.
   */
  void surelyNotGranted(CallerRequest call) {
    notGranted(call, part -> !call.mayComeAgain() || call.isClean(part.key()));
  }

  private void notGranted(CallerRequest call, Predicate<SimulatedTree.Part> certain) {
    answered(call);
    forEach(
        call,
        (part, limit, milli) -> {
          if (certain.test(part) && !gone.isGone(part.key(), limit, call.askedNanos())) {
            books.add(part.key(), limit, 0, -milli * call.times(part.key()));
          }
        });
    check(call);
  }

  /** It was answered, and nobody knows what was charged. */
  void answered(CallerRequest call) {
    Set<CallerRequest> others = asking.get(call.life());
    if (others != null) {
      others.remove(call);
    }
  }

  /** A settlement begins. */
  void settling(LeaseSettlement settlement) {
    CallerRequest call = settlement.call();
    buckets += settlement.amounts().size();
    call.noteTroubles();
    open.computeIfAbsent(call.life(), absent -> new ArrayList<>()).add(settlement);
    forEach(
        settlement.amounts(),
        (key, limit, milli) -> {
          if (milli > 0) {
            books.add(key, limit, 0, milli);
            call.life().unchecked(key, limit, milli);
          } else {
            books.add(key, limit, milli, 0);
            call.life().givenBack(key, limit, -milli);
          }
        });
  }

  /**
   * Something went wrong with a bucket. A settlement's charge that is lost is sent once more. A
   * request that comes again has given back what it was charged before, and that may be lost. No
   * other request is ever sent twice.
   *
   * @param joint whether it was a transaction: one that is sent again, and then anew, may have been
   *     under way all the time
   */
  void trouble(Life life, BucketKey key, boolean joint) {
    for (CallerRequest call : asking.getOrDefault(life, Set.of())) {
      if (call.mayComeAgain() || joint) {
        mayBeChargedAgain(call, key);
      }
    }
    for (LeaseSettlement settlement : open.getOrDefault(life, List.of())) {
      Map<String, Long> limits = settlement.amounts().get(key);
      if (limits != null && settlement.mayDouble(key)) {
        limits.forEach((limit, milli) -> books.add(key, limit, 0, Math.max(0, milli)));
      }
    }
  }

  /** Requests that draw on a bucket give back what they were charged, and may come again. */
  void comeAgain(Life life, BucketKey given) {
    for (CallerRequest call : asking.getOrDefault(life, Set.of())) {
      boolean draws = call.parts().stream().anyMatch(part -> part.key().equals(given));
      if (draws && !call.mayComeAgain()) {
        call.comesAgain();
        for (SimulatedTree.Part part : call.parts()) {
          if (!call.isClean(part.key())) {
            mayBeChargedAgain(call, part.key());
          }
        }
      }
    }
  }

  private void mayBeChargedAgain(CallerRequest call, BucketKey key) {
    if (call.parts().stream().noneMatch(part -> part.key().equals(key))) {
      return;
    }
    call.mayBeChargedAgain(key);
    forEach(
        call,
        (part, limit, milli) -> {
          if (part.key().equals(key)) {
            books.add(key, limit, 0, milli);
          }
        });
  }

  /**
   * A settlement has ended.
   *
   * @param told whether the caller was told that it is written
   */
  void settled(LeaseSettlement settlement, boolean told) {
    CallerRequest call = settlement.call();
    List<LeaseSettlement> others = open.get(call.life());
    if (others != null) {
      others.remove(settlement);
    }
    forEach(
        settlement.amounts(),
        (key, limit, milli) -> {
          boolean clean = call.isClean(key);
          // Whatever went wrong on the way: what was told to be settled is written.
          boolean written = told && settlement.isUntroubled(key);
          boolean kept = !gone.isGone(key, limit, settlement.begunNanos());
          if (written && settlement.sure() && isSure(call, key) && kept) {
            // What is given back to a bucket that has expired is there already.
            long refundMilli = settlement.hasExpired(key) ? 0 : Math.min(0, milli);
            books.add(key, limit, Math.max(0, milli), refundMilli);
          } else if (told && settlement.sure() && isSure(call, key) && kept) {
            owed.add(new PendingCharge(settlement, key, limit, milli));
          }
          if (clean && told && milli > 0) { // else it may yet be sent, or arrive
            call.life().unchecked(key, limit, -milli);
          } else if (clean && told) {
            call.life().givenBack(key, limit, milli);
          }
          books.check(key);
        });
  }

  /**
   * Everybody has ended: what leases were told to be settled is written by now, whatever went wrong
   * on the way, unless the limiter has said that it is lost, or has crashed.
   */
  void nothingOwed() {
    for (PendingCharge part : owed) {
      Life life = part.settlement.call().life();
      boolean lost = life.hasLost(part.key, /* charge= */ part.milli > 0);
      // It may have met the bucket at any time since it began, also without the limit.
      boolean dropped = gone.isGone(part.key, part.limit, part.settlement.begunNanos());
      if (life.isAlive() && !lost && !dropped && !part.settlement.hasExpired(part.key)) {
        books.add(part.key, part.limit, Math.max(0, part.milli), Math.min(0, part.milli));
      }
    }
    owed.clear();
  }

  /** Nobody holds tokens ahead any more: from now on what is charged must have been told. */
  void nothingAhead(Predicate<BucketKey> certain) {
    books.closeAbove(certain);
  }

  private static boolean isSure(CallerRequest call, BucketKey key) {
    for (SimulatedTree.Part part : call.parts()) {
      if (part.key().equals(key)) {
        return part.sure();
      }
    }
    for (SimulatedTree.Part part : call.adjusted()) {
      if (part.key().equals(key)) {
        return part.sure();
      }
    }
    return false;
  }

  private void check(CallerRequest call) {
    for (SimulatedTree.Part part : call.parts()) {
      books.check(part.key());
    }
  }

  private interface OfPart {
    void accept(SimulatedTree.Part part, String limit, long milli);
  }

  private interface OfBucket {
    void accept(BucketKey key, String limit, long milli);
  }

  private static void forEach(CallerRequest call, OfPart action) {
    for (SimulatedTree.Part part : call.parts()) {
      part.milli().forEach((limit, milli) -> action.accept(part, limit, milli));
    }
  }

  private static void forEach(Map<BucketKey, Map<String, Long>> amounts, OfBucket action) {
    amounts.forEach(
        (key, limits) -> limits.forEach((limit, milli) -> action.accept(key, limit, milli)));
  }
}
