package dev.millrace.client.internal.lease;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.core.spi.config.EffectiveLimits;
import org.jspecify.annotations.Nullable;

/**
 * The books of a lease about one bucket: what is charged, what was granted without a charge, and
 * what is still to be written. Guarded by the ledger that it belongs to.
 */
public final class LegBook {
  private BucketKey key;
  private final EffectiveLimits terms;
  private final Amounts first;

  /** Whether the first grant was charged; a leg that was not writes nothing, ever. */
  private final boolean charging;

  /** Whether the key names the shard that is charged; else one is drawn for the first charge. */
  private boolean drawn;

  /** Beside the first grant; made when first needed, because most leases need none of them. */
  private long @Nullable [] furtherMilli;

  private long @Nullable [] unchargedMilli;
  private long @Nullable [] pendingMilli;

  public LegBook(BucketKey key, EffectiveLimits terms, Amounts first, boolean charging) {
    this.key = key;
    this.terms = terms;
    this.first = first;
    this.charging = charging;
    this.drawn = true;
    if (!charging) {
      grantUncharged(first);
    }
  }

  /** The book of a bucket from which nothing is taken before the lease ends. */
  public static LegBook settleOnly(Leg leg, boolean charging) {
    LegBook book = new LegBook(leg.key(), leg.terms(), leg.amounts(), charging);
    book.drawn = false;
    return book;
  }

  public boolean isDrawn() {
    return drawn;
  }

  /** Notes the shard that is charged, and given back to, from now on. */
  public void draw(BucketKey shard) {
    key = shard;
    drawn = true;
  }

  public BucketKey key() {
    return key;
  }

  public EffectiveLimits terms() {
    return terms;
  }

  public LimitSet limits() {
    return terms.limits();
  }

  public boolean isCharging() {
    return charging;
  }

  public boolean has(String limit) {
    return limits().indexOf(limit) >= 0;
  }

  public void grantUncharged(Amounts amounts) {
    unchargedMilli = plus(unchargedMilli, amounts);
  }

  public void charge(Amounts amounts) {
    furtherMilli = plus(furtherMilli, amounts);
  }

  private long[] plus(long @Nullable [] sums, Amounts amounts) {
    long[] milli = sums == null ? new long[limits().size()] : sums;
    for (int i = 0; i < milli.length; i++) {
      milli[i] += amounts.milli(i);
    }
    return milli;
  }

  private long chargedMilli(int index) {
    return (charging ? first.milli(index) : 0) + at(furtherMilli, index);
  }

  private static long at(long @Nullable [] milli, int index) {
    return milli == null ? 0 : milli[index];
  }

  /** What the lease stands for here, adjustments included. */
  public long consumedMilli(String limit) {
    int i = Amounts.requireIndex(limits(), limit);
    return chargedMilli(i) + at(unchargedMilli, i) + at(pendingMilli, i);
  }

  public void adjust(String limit, long deltaMilli) {
    if (pendingMilli == null) {
      pendingMilli = new long[limits().size()];
    }
    int i = Amounts.requireIndex(limits(), limit);
    pendingMilli[i] += deltaMilli; // bounded by what a lease may stand for
  }

  /** What is to be written to end it well, or null for nothing. */
  public @Nullable Amounts toSettle() {
    if (pendingMilli == null || !charging) {
      return null;
    }
    long[] milli = new long[limits().size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = Math.max(pendingMilli[i], -chargedMilli(i)); // what was never charged stays
    }
    Amounts amounts = Amounts.ofMilli(limits(), milli);
    return amounts.isEmpty() ? null : amounts;
  }

  /** What is to be written to take it back, or null for nothing. */
  public @Nullable Amounts toRefund() {
    long[] milli = new long[limits().size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = -chargedMilli(i);
    }
    Amounts amounts = Amounts.ofMilli(limits(), milli);
    return amounts.isEmpty() ? null : amounts;
  }

  /** Whether what {@code other} was granted first can be booked here too. */
  public boolean isLike(LegBook other) {
    return key.equals(other.key) && charging == other.charging && terms.equals(other.terms);
  }

  /** Books here what {@code other} was granted first. */
  public void take(LegBook other) {
    if (!other.drawn) {
      return; // nothing was taken
    }
    drawn = true;
    if (charging) {
      charge(other.first);
    } else {
      grantUncharged(other.first);
    }
  }

  /** Notes that everything was given back, or may have been: it is not given back again. */
  public void gaveBack(Amounts amounts) {
    charge(amounts);
    pendingMilli = null;
  }

  /** Notes that {@code amounts} were written, or may have been: they are not written again. */
  public void wrote(Amounts amounts) {
    charge(amounts);
    if (pendingMilli != null) {
      for (int i = 0; i < pendingMilli.length; i++) {
        pendingMilli[i] -= amounts.milli(i);
      }
    }
  }
}
