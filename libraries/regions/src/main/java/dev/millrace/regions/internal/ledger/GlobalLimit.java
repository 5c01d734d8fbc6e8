package dev.millrace.regions.internal.ledger;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import java.util.Optional;

/**
 * A limit that several regions share, with the part of it that a region with a given share
 * enforces: capacity, burst and refill are divided, the period stays. Every part is rounded down,
 * so the parts of shares that sum to the whole never sum to more than it.
 */
public final class GlobalLimit {
  /**
   * The largest grain, in millitokens, to which the part of a refill is rounded down. Ordinary
   * limits need none: see {@link #grainMilli}.
   */
  public static final int MAX_GRAIN_MILLI = 1_000_000;

  private final Limit whole;
  private final long grainMilli;

  private GlobalLimit(Limit whole, long grainMilli) {
    this.whole = whole;
    this.grainMilli = grainMilli;
  }

  /**
   * {@code whole}, to be shared.
   *
   * @param leastPpm the smallest share that a region keeps, at which it must still be able to admit
   *     a request
   * @throws IllegalArgumentException when it is too small for that, or too large to be divided
   */
  public static GlobalLimit of(Limit whole, int leastPpm) {
    long grain = grain(whole);
    if (grain == 0) {
      throw new IllegalArgumentException(
          "limit '%s': refill amount %s every %d ms cannot be divided among regions: choose a rounder period or less"
              .formatted(
                  whole.name(),
                  Limit.tokens(whole.refill().amountMilli()),
                  whole.refill().periodMs()));
    }
    requirePart(whole, "capacity", whole.capacityMilli(), leastPpm, 1);
    requirePart(whole, "burst", whole.burstMilli(), leastPpm, 1);
    requirePart(whole, "refill amount", whole.refill().amountMilli(), leastPpm, grain);
    return new GlobalLimit(whole, grain);
  }

  private static void requirePart(
      Limit whole, String field, long milli, int leastPpm, long atLeastMilli) {
    if (Ppm.partOf(milli, leastPpm) < atLeastMilli) {
      throw new IllegalArgumentException(
          "limit '%s': %s %s is too small to be shared: %d ppm of it, which each region keeps, must be at least %s"
              .formatted(
                  whole.name(), field, Limit.tokens(milli), leastPpm, Limit.tokens(atLeastMilli)));
    }
  }

  /**
   * The arithmetic of a refill needs its amount and its period, in lowest terms, to be multiplied
   * within 64 bits. A part of an amount may have no factor in common with the period, however round
   * the whole was. So where they are too large, the part is rounded down to a multiple of a small
   * factor of the period: the least one that suffices, 0 when there is none.
   */
  private static long grain(Limit whole) {
    long amountMilli = whole.refill().amountMilli();
    long periodMs = whole.refill().periodMs();
    for (long grain = 1; grain <= Math.min(periodMs, MAX_GRAIN_MILLI); grain++) {
      if (periodMs % grain == 0 && fits(amountMilli / grain, periodMs / grain)) {
        return grain;
      }
    }
    return 0;
  }

  private static boolean fits(long a, long b) {
    return Math.multiplyHigh(a, b) == 0 && a * b >= 0;
  }

  public Limit whole() {
    return whole;
  }

  /** The grain of a part of the refill, in millitokens: 1 for all but huge limits. */
  public long grainMilli() {
    return grainMilli;
  }

  /**
   * The limit that a region with this share enforces; empty when that is nothing, and every request
   * must be refused.
   */
  public Optional<Limit> part(long sharePpm) {
    long capacityMilli = Ppm.partOf(whole.capacityMilli(), sharePpm);
    long burstMilli = ceilingMilli(sharePpm);
    long amountMilli = Ppm.partOf(whole.refill().amountMilli(), sharePpm);
    amountMilli -= amountMilli % grainMilli;
    if (capacityMilli == 0 || amountMilli == 0) {
      return Optional.empty();
    }
    Refill refill = Refill.of(amountMilli, whole.refill().periodMs());
    return Optional.of(new Limit(whole.name(), capacityMilli, burstMilli, refill, whole.soft()));
  }

  /** The ceiling of a region with this share. */
  public long ceilingMilli(long sharePpm) {
    return Ppm.partOf(whole.burstMilli(), sharePpm);
  }

  /**
   * The tokens that accompany a gift: the same part of the balance as the gift is of the share, and
   * no more than the ceiling of the gift. A debt is not passed on.
   *
   * @param ppm the gift, at most {@code sharePpm}
   * @param sharePpm the share of the donor
   * @param balanceMilli the balance of the donor now
   */
  public long tokensWith(long ppm, long sharePpm, long balanceMilli) {
    // One less: the donor forfeits one, which must not put it into debt.
    long spareMilli = Math.max(0, balanceMilli - LimitLedger.FORFEIT_MILLI);
    return Math.min(Ppm.partOf(spareMilli, ppm, sharePpm), Ppm.partOf(whole.burstMilli(), ppm));
  }
}
