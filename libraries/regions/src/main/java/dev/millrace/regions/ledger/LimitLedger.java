package dev.millrace.regions.ledger;

import dev.millrace.core.limit.SaturatedMath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one region holds of one global limit.
 *
 * <p>Suppose regions told each other what they had consumed, and each one enforced what is left of
 * the whole. Then all of them could spend the whole before the first of them hears of another:
 * counts come too late by nature. So they do not share a count but divide a right. A region may
 * spend what it holds without asking, and what it holds changes hands as money does: the giver has
 * it no more before the receiver has it.
 *
 * <p>Nothing but rows that only grow is exchanged ({@link Row}). What a region holds follows:
 *
 * <pre>
 *   share = base − Σ gave.ppm + Σ got.ppm
 *   Σ share + Σ (gave[i→j] − got[j←i]) = whole
 * </pre>
 *
 * <p>Only the donor adds to {@code gave}, before it publishes; only the receiver adds to {@code
 * got}, up to what was published, in the same write that raises its bucket. So the second sum, what
 * is on its way, is never negative, and it is nobody's. A row that is lost comes with the next
 * snapshot; one that comes twice, or late, has nothing new.
 *
 * <p><b>Rounding.</b> Credit is the difference of two floors, so a stretch of time at one rate can
 * earn up to one millitoken more than the rate says, but less than one. Every change of share
 * begins a new stretch. Each one therefore costs the region {@link #FORFEIT_MILLI}, and all that a
 * region can ever earn too much is less than one millitoken, however often its share changes.
 *
 * <p><b>Eviction.</b> What a region that is gone for good held cannot be read off its last
 * snapshot: a later one may be on its way, and somebody may have credited what is in it. But it can
 * be had from those who are left. When each of them has sealed its rows about the dead, what it
 * gave them and what it got from them is final, and what the dead held, or was on its way to or
 * from them, is what the survivors do not have. Each one computes that for itself from the sealed
 * rows, takes its part, and is founded anew: {@link Founding#after}. Doing it twice does nothing.
 * Rows about the dead are kept for those who are slower, and count no more.
 *
 * @param region whose ledger it is
 * @param founding what everybody began with
 * @param dealings the rows that this region has written
 * @param seals all evictions that it took part in, in their order; the last may be under way
 * @param evicted those whose estate has been divided, in their order
 */
public record LimitLedger(
    String region, Founding founding, Dealings dealings, List<Seal> seals, List<String> evicted) {
  /** What a change of share costs the region that makes it, in millitokens. */
  public static final long FORFEIT_MILLI = 1;

  /** Checks that the region holds neither less than nothing nor more than there is. */
  public LimitLedger {
    RegionNames.require(region);
    seals = List.copyOf(seals);
    evicted = List.copyOf(new TreeSet<>(evicted));
    long share = share(region, founding, dealings, evicted);
    if (share < 0 || share > Ppm.WHOLE) {
      throw new IllegalArgumentException(
          "region '" + region + "' would hold " + share + " ppm, must be from 0 to " + Ppm.WHOLE);
    }
  }

  /** The ledger of a region that has not exchanged anything yet. */
  public static LimitLedger initial(String region, Founding founding) {
    return new LimitLedger(region, founding, Dealings.NONE, List.of(), List.of());
  }

  /** What the region holds, in parts per million. */
  public int sharePpm() {
    return (int) share(region, founding, dealings, evicted);
  }

  private static long share(
      String region, Founding founding, Dealings dealings, List<String> evicted) {
    long share = founding.basePpm(region);
    for (Map.Entry<String, Row> row : dealings.gave().entrySet()) {
      share -= evicted.contains(row.getKey()) ? 0 : row.getValue().ppm();
    }
    for (Map.Entry<String, Row> row : dealings.got().entrySet()) {
      share += evicted.contains(row.getKey()) ? 0 : row.getValue().ppm();
    }
    return share;
  }

  /** The eviction that is under way, or null. */
  public @Nullable Seal pending() {
    if (seals.isEmpty()) {
      return null;
    }
    Seal last = seals.get(seals.size() - 1);
    return evicted.containsAll(last.dead()) ? null : last;
  }

  /** Whether nothing is exchanged with {@code other} any more. */
  public boolean isClosedTo(String other) {
    Seal pending = pending();
    return evicted.contains(other) || (pending != null && pending.dead().contains(other));
  }

  /**
   * Gives share and tokens away. They are debited with this write, and are the receiver's when it
   * has read of them.
   *
   * @param ppm from 1 to what the region holds
   * @param milli tokens that go along, see {@link GlobalLimit#tokensWith}
   */
  public Move give(String to, int ppm, long milli) {
    RegionNames.require(to);
    if (to.equals(region) || isClosedTo(to)) {
      throw new IllegalArgumentException("region '" + region + "' cannot give to '" + to + "'");
    }
    if (ppm < 1 || ppm > sharePpm() || milli < 0) {
      throw new IllegalArgumentException(
          "region '%s' holds %d ppm and cannot give %d with %d millitokens"
              .formatted(region, sharePpm(), ppm, milli));
    }
    Row before = dealings.gave(to);
    // What no longer fits into the row stays: a limit of the greatest size fills it in a few gifts.
    long fitting = Math.min(milli, Long.MAX_VALUE - before.milli());
    Row after = before.plus(new Row(ppm, fitting));
    return new Move(with(dealings.withGave(to, after)), -fitting - FORFEIT_MILLI);
  }

  /** Credits what {@code published} has that was not credited before. */
  public Receipt receive(String from, Row published) {
    Row applied = dealings.got(from);
    if (published.equals(applied)) {
      return new Receipt.Nothing();
    }
    if (isClosedTo(from)) {
      return refused(Receipt.Reason.SEALED, from, published, "is evicted");
    }
    if (!published.covers(applied)) {
      return refused(Receipt.Reason.SHRUNK, from, published, "is less than " + applied);
    }
    Row fresh = published.minus(applied);
    if (fresh.ppm() > Ppm.WHOLE - sharePpm()) {
      return refused(
          Receipt.Reason.BEYOND_WHOLE, from, published, "would be added to " + sharePpm() + " ppm");
    }
    return new Receipt.Credited(
        new Move(with(dealings.withGot(from, published)), fresh.milli() - FORFEIT_MILLI));
  }

  /**
   * Whether another region has credited more than this one knows to have given it. One of the two
   * was brought back from an old copy; only an operator knows which.
   *
   * @param theirs what the other one has published
   */
  public boolean hasForgotten(String other, Dealings theirs) {
    return !isClosedTo(other) && !dealings.gave(other).covers(theirs.got(region));
  }

  /**
   * What follows when an operator says that the others' rows are right: this region gave at least
   * what they have credited, and has credited what they gave. Tokens that went along are debited,
   * as far as the bucket has them; none are credited, because nobody knows whether the bucket has
   * them. Empty when the region already agrees with all of them.
   *
   * @param others by region, what each of the others has published
   * @throws IllegalArgumentException when it would hold less than nothing: a row is missing
   */
  public Optional<Move> agreeingWith(Map<String, Dealings> others) {
    Dealings agreed = dealings;
    long tokensMilli = 0;
    for (Map.Entry<String, Dealings> other : others.entrySet()) {
      String name = other.getKey();
      if (isClosedTo(name)) {
        continue;
      }
      Row gave = dealings.gave(name).max(other.getValue().got(region));
      tokensMilli = SaturatedMath.add(tokensMilli, dealings.gave(name).milli() - gave.milli());
      agreed = gave.equals(Row.ZERO) ? agreed : agreed.withGave(name, gave);
      Row got = other.getValue().gave(region);
      agreed = got.equals(dealings.got(name)) ? agreed : agreed.withGot(name, got);
    }
    return agreed.equals(dealings)
        ? Optional.empty()
        : Optional.of(new Move(with(agreed), SaturatedMath.add(tokensMilli, -FORFEIT_MILLI)));
  }

  private Receipt refused(Receipt.Reason reason, String from, Row published, String why) {
    return new Receipt.Refused(
        reason, "%s of '%s' to '%s' %s".formatted(published, from, region, why));
  }

  /**
   * Ends all dealings with the dead, for good. Repeating it changes nothing. More dead may be added
   * until their estate is divided; they can never become fewer, because somebody may have inherited
   * under the larger seal.
   */
  public LimitLedger seal(Seal next) {
    Seal pending = pending();
    if (next.equals(pending) || evicted.containsAll(next.dead())) {
      return this;
    }
    if (!canSeal(next)) {
      throw new IllegalArgumentException(
          "region '%s' cannot seal %s: sealed is %s, evicted %s, founding %s"
              .formatted(region, next, pending, evicted, founding));
    }
    List<Seal> all = new ArrayList<>(seals);
    if (pending != null) {
      all.remove(all.size() - 1);
    }
    all.add(next);
    return new LimitLedger(region, founding, dealings, all, evicted);
  }

  /**
   * Whether {@link #seal} is possible: the region is one of those who are left, everybody who began
   * with something is dead or left, none of the dead is evicted already, and no dead is left out.
   */
  public boolean canSeal(Seal next) {
    Seal pending = pending();
    TreeSet<String> named = new TreeSet<>(next.dead());
    named.addAll(next.survivors());
    return (next.survivors().contains(region) || isStrangerTo(next.dead()))
        && named.containsAll(founding.basePpm().keySet())
        && next.dead().stream().noneMatch(evicted::contains)
        && (pending == null || next.dead().containsAll(pending.dead()));
  }

  /** Whether it came after their eviction: then it inherits nothing, but learns the founding. */
  private boolean isStrangerTo(List<String> dead) {
    return founding.basePpm(region) == 0
        && dead.stream()
            .allMatch(
                name -> !dealings.gave().containsKey(name) && !dealings.got().containsKey(name));
  }

  /**
   * Takes the region's part of what the dead have left; empty while somebody has not sealed.
   *
   * @param others by region, what each of the others has published and which seals
   */
  public Optional<Move> inherit(Map<String, SealedDealings> others) {
    Seal pending = pending();
    if (pending == null) {
      return Optional.empty();
    }
    Map<String, Long> balances = new TreeMap<>();
    for (String survivor : pending.survivors()) {
      if (survivor.equals(region)) {
        balances.put(survivor, balance(dealings, pending.dead()));
        continue;
      }
      SealedDealings published = others.get(survivor);
      if (published == null || !published.seals().contains(pending)) {
        return Optional.empty();
      }
      balances.put(survivor, balance(published.dealings(), pending.dead()));
    }
    TreeSet<String> gone = new TreeSet<>(evicted);
    gone.addAll(pending.dead());
    Founding next = founding.after(pending.survivors(), balances);
    return Optional.of(
        new Move(
            new LimitLedger(region, next, dealings, seals, List.copyOf(gone)), -FORFEIT_MILLI));
  }

  private static long balance(Dealings dealings, Collection<String> dead) {
    long sum = 0;
    for (String name : dead) {
      sum += dealings.got(name).ppm() - dealings.gave(name).ppm();
    }
    return sum;
  }

  private LimitLedger with(Dealings next) {
    return new LimitLedger(region, founding, next, seals, evicted);
  }
}
