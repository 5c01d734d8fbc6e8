package dev.millrace.regions.internal.ledger;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.regions.EvictionSeal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One region's holding of one global limit.
 *
 * <p>Suppose regions published what they had consumed, and each one enforced what is left of the
 * whole. Then all of them could spend the whole before the first of them reads about another:
 * counts are always late. So they do not share a count but divide a right. A region may spend what
 * it holds without asking, and holdings move as money does: the giver has debited before the
 * receiver credits.
 *
 * <p>Only rows that grow are exchanged ({@link TransferRow}). The holding of a region follows from
 * them:
 *
 * <pre>
 *   share = base − Σ gave.ppm + Σ got.ppm
 *   Σ share + Σ (gave[i→j] − got[j←i]) = whole
 * </pre>
 *
 * <p>Only the donor adds to {@code gave}, before it publishes; only the receiver adds to {@code
 * got}, up to what was published, in the same write that raises its bucket. So the second sum, what
 * is in flight, is never negative, and no region can spend it. A row that is lost comes with the
 * next snapshot; one that comes twice, or late, changes nothing.
 *
 * <p><b>Rounding.</b> Credit is the difference of two floors, so a stretch of time at one rate can
 * earn up to one millitoken more than the rate says, but less than one. Every change of share
 * begins a new stretch. Each one therefore costs the region {@link #FORFEIT_MILLI}, and all that a
 * region can ever earn too much is less than one millitoken, however often its share changes.
 *
 * <p><b>Eviction.</b> The holding of a region that is gone for good cannot be computed from its
 * last snapshot: a later one may be on its way, and another region may have credited its content.
 * But it can be computed from the remaining regions. When each of them has sealed its rows about
 * the evicted region, what it gave and what it got is final, and what the evicted region held, or
 * what was in flight to or from it, is what the survivors do not have. Each one computes that for
 * itself from the sealed rows, takes its part, and gets a new base: {@link InitialShares#after}.
 * Repeating it changes nothing. Rows about evicted regions are kept for slower regions, and no
 * longer count.
 *
 * @param region the owner of the ledger
 * @param founding the initial shares of all regions
 * @param dealings the rows that this region has written
 * @param seals all evictions that it took part in, in their order; the last may be under way
 * @param evicted the regions whose estate has been divided, in their order
 */
public record LimitLedger(
    String region,
    InitialShares founding,
    TransferRows dealings,
    List<EvictionSeal> seals,
    List<String> evicted) {
  /** The cost of a change of share, in millitokens, for the region that makes it. */
  public static final long FORFEIT_MILLI = 1;

  /** Checks that the region holds neither less than nothing nor more than the whole. */
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
  public static LimitLedger initial(String region, InitialShares founding) {
    return new LimitLedger(region, founding, TransferRows.NONE, List.of(), List.of());
  }

  /** The holding of the region, in parts per million. */
  public int sharePpm() {
    return (int) share(region, founding, dealings, evicted);
  }

  private static long share(
      String region, InitialShares founding, TransferRows dealings, List<String> evicted) {
    long share = founding.basePpm(region);
    for (Map.Entry<String, TransferRow> row : dealings.gave().entrySet()) {
      share -= evicted.contains(row.getKey()) ? 0 : row.getValue().ppm();
    }
    for (Map.Entry<String, TransferRow> row : dealings.got().entrySet()) {
      share += evicted.contains(row.getKey()) ? 0 : row.getValue().ppm();
    }
    return share;
  }

  /** The eviction that is under way, or null. */
  public @Nullable EvictionSeal pending() {
    if (seals.isEmpty()) {
      return null;
    }
    EvictionSeal last = seals.get(seals.size() - 1);
    return evicted.containsAll(last.dead()) ? null : last;
  }

  /** Whether transfers with {@code other} have ended. */
  public boolean isClosedTo(String other) {
    EvictionSeal pending = pending();
    return evicted.contains(other) || (pending != null && pending.dead().contains(other));
  }

  /**
   * Gives share and tokens away. They are debited with this write, and are the receiver's when it
   * has read the row.
   *
   * @param ppm from 1 to the holding of the region
   * @param milli the tokens that accompany the gift, see {@link GlobalLimit#tokensWith}
   */
  public Change give(String to, int ppm, long milli) {
    RegionNames.require(to);
    if (to.equals(region) || isClosedTo(to)) {
      throw new IllegalArgumentException("region '" + region + "' cannot give to '" + to + "'");
    }
    if (ppm < 1 || ppm > sharePpm() || milli < 0) {
      throw new IllegalArgumentException(
          "region '%s' holds %d ppm and cannot give %d with %d millitokens"
              .formatted(region, sharePpm(), ppm, milli));
    }
    TransferRow before = dealings.gave(to);
    // What no longer fits into the row stays: a limit of the greatest size fills it in a few gifts.
    long fitting = Math.min(milli, Long.MAX_VALUE - before.milli());
    TransferRow after = before.plus(new TransferRow(ppm, fitting));
    return new Change(with(dealings.withGave(to, after)), -fitting - FORFEIT_MILLI);
  }

  /** Credits the part of {@code published} that was not credited before. */
  public RowReceipt receive(String from, TransferRow published) {
    TransferRow applied = dealings.got(from);
    if (published.equals(applied)) {
      return new RowReceipt.Duplicate();
    }
    if (isClosedTo(from)) {
      return refused(RowReceipt.Reason.SEALED, from, published, "is evicted");
    }
    if (!published.covers(applied)) {
      return refused(RowReceipt.Reason.SHRUNK, from, published, "is less than " + applied);
    }
    TransferRow fresh = published.minus(applied);
    if (fresh.ppm() > Ppm.WHOLE - sharePpm()) {
      return refused(
          RowReceipt.Reason.BEYOND_WHOLE,
          from,
          published,
          "would be added to " + sharePpm() + " ppm");
    }
    return new RowReceipt.Credited(
        new Change(with(dealings.withGot(from, published)), fresh.milli() - FORFEIT_MILLI));
  }

  /**
   * Whether another region has credited more than this one records as given. One of the two was
   * restored from an old copy; only an operator can decide which.
   *
   * @param theirs the rows that the other region has published
   */
  public boolean hasForgotten(String other, TransferRows theirs) {
    return !isClosedTo(other) && !dealings.gave(other).covers(theirs.got(region));
  }

  /**
   * The change after an operator has declared that the others' rows are right: this region gave at
   * least what they have credited, and has credited what they gave. Tokens of these gifts are
   * debited, as far as the bucket has them; none are credited, because it is unknown whether the
   * bucket has them already. Empty when the region already agrees with all of them.
   *
   * @param others by region, the rows that each has published
   * @throws IllegalArgumentException when it would hold less than nothing: a row is missing
   */
  public Optional<Change> agreeingWith(Map<String, TransferRows> others) {
    TransferRows agreed = dealings;
    long tokensMilli = 0;
    for (Map.Entry<String, TransferRows> other : others.entrySet()) {
      String name = other.getKey();
      if (isClosedTo(name)) {
        continue;
      }
      TransferRow gave = dealings.gave(name).max(other.getValue().got(region));
      tokensMilli = SaturatedMath.add(tokensMilli, dealings.gave(name).milli() - gave.milli());
      agreed = gave.equals(TransferRow.ZERO) ? agreed : agreed.withGave(name, gave);
      TransferRow got = other.getValue().gave(region);
      agreed = got.equals(dealings.got(name)) ? agreed : agreed.withGot(name, got);
    }
    return agreed.equals(dealings)
        ? Optional.empty()
        : Optional.of(new Change(with(agreed), SaturatedMath.add(tokensMilli, -FORFEIT_MILLI)));
  }

  private RowReceipt refused(
      RowReceipt.Reason reason, String from, TransferRow published, String why) {
    return new RowReceipt.Refused(
        reason, "%s of '%s' to '%s' %s".formatted(published, from, region, why));
  }

  /**
   * Ends all transfers with the evicted regions, for good. Repeating it changes nothing. More
   * evicted regions may be added until their estate is divided; they can never become fewer,
   * because a region may have inherited under the larger seal.
   */
  public LimitLedger seal(EvictionSeal next) {
    EvictionSeal pending = pending();
    if (next.equals(pending) || evicted.containsAll(next.dead())) {
      return this;
    }
    if (!canSeal(next)) {
      throw new IllegalArgumentException(
          "region '%s' cannot seal %s: sealed is %s, evicted %s, founding %s"
              .formatted(region, next, pending, evicted, founding));
    }
    List<EvictionSeal> all = new ArrayList<>(seals);
    if (pending != null) {
      all.remove(all.size() - 1);
    }
    all.add(next);
    return new LimitLedger(region, founding, dealings, all, evicted);
  }

  /**
   * Whether {@link #seal} is possible: the region is one of the survivors, every region that began
   * with a share is evicted or a survivor, none of the evicted is evicted already, and none is left
   * out.
   */
  public boolean canSeal(EvictionSeal next) {
    EvictionSeal pending = pending();
    TreeSet<String> named = new TreeSet<>(next.dead());
    named.addAll(next.survivors());
    return (next.survivors().contains(region) || isStrangerTo(next.dead()))
        && named.containsAll(founding.basePpm().keySet())
        && next.dead().stream().noneMatch(evicted::contains)
        && (pending == null || next.dead().containsAll(pending.dead()));
  }

  /** Whether it joined after their eviction: then it inherits nothing, but adopts the founding. */
  private boolean isStrangerTo(List<String> dead) {
    return founding.basePpm(region) == 0
        && dead.stream()
            .allMatch(
                name -> !dealings.gave().containsKey(name) && !dealings.got().containsKey(name));
  }

  /**
   * Takes the region's part of the estate; empty while a survivor has not sealed.
   *
   * @param others by region, the published rows and seals
   */
  public Optional<Change> inherit(Map<String, SealedRows> others) {
    EvictionSeal pending = pending();
    if (pending == null) {
      return Optional.empty();
    }
    Map<String, Long> balances = new TreeMap<>();
    for (String survivor : pending.survivors()) {
      if (survivor.equals(region)) {
        balances.put(survivor, balance(dealings, pending.dead()));
        continue;
      }
      SealedRows published = others.get(survivor);
      if (published == null || !published.seals().contains(pending)) {
        return Optional.empty();
      }
      balances.put(survivor, balance(published.dealings(), pending.dead()));
    }
    TreeSet<String> gone = new TreeSet<>(evicted);
    gone.addAll(pending.dead());
    InitialShares next = founding.after(pending.survivors(), balances);
    return Optional.of(
        new Change(
            new LimitLedger(region, next, dealings, seals, List.copyOf(gone)), -FORFEIT_MILLI));
  }

  private static long balance(TransferRows dealings, Collection<String> dead) {
    long sum = 0;
    for (String name : dead) {
      sum += dealings.got(name).ppm() - dealings.gave(name).ppm();
    }
    return sum;
  }

  private LimitLedger with(TransferRows next) {
    return new LimitLedger(region, founding, next, seals, evicted);
  }

  /**
   * A change of a ledger with its effect on the bucket, which must happen in the same write: the
   * bucket gets the limit for the ledger's new share, after it was credited up to now at the old
   * rate, and its balance changes by {@code tokensMilli}.
   *
   * @param ledger the ledger afterwards
   * @param tokensMilli the change of the balance, before it is clipped at the new ceiling
   */
  public record Change(LimitLedger ledger, long tokensMilli) {}

  /** The rows of another region with the seals of the same snapshot. */
  public record SealedRows(List<EvictionSeal> seals, TransferRows dealings) {
    public SealedRows {
      seals = List.copyOf(seals);
    }
  }
}
