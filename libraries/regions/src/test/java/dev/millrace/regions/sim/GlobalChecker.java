package dev.millrace.regions.sim;

import dev.millrace.Limit;
import dev.millrace.regions.internal.ledger.Ppm;
import dev.millrace.regions.internal.ledger.TransferRow;
import java.util.Collection;

/**
 * Judges what all regions do together, from what they enforce and what they admitted. It asks
 * neither their ledgers for shares nor the arithmetic of buckets for credit.
 */
public final class GlobalChecker {
  private final Limit limit;
  private final int regions;

  /** What was admitted and has not flowed off at the limit's rate, in millitokens × period. */
  private long levelTimesPeriod;

  private long lastMs;

  /**
   * From now on.
   *
   * @param regions most that there will be
   */
  public GlobalChecker(Limit limit, int regions, long nowMs) {
    this.limit = limit;
    this.regions = regions;
    this.lastMs = nowMs;
  }

  /**
   * Something was admitted. That no window of any length has more than {@code burst + rate × t} is
   * the same as that a bucket of that size, into which all of it is poured and which leaks at that
   * rate, never overflows. Each region may have earned less than one millitoken by rounding.
   */
  public void admitted(long milli, long nowMs) {
    long leaked = (nowMs - lastMs) * limit.refill().amountMilli();
    levelTimesPeriod = Math.max(0, levelTimesPeriod - leaked) + milli * limit.refill().periodMs();
    lastMs = nowMs;
    long most = (limit.burstMilli() + regions) * limit.refill().periodMs();
    if (levelTimesPeriod > most) {
      throw new AssertionError(
          "admitted %s millitokens more than any window may have"
              .formatted((levelTimesPeriod - most) / limit.refill().periodMs()));
    }
  }

  /**
   * What is enforced and what is on its way is the whole.
   *
   * @param exactly false while an estate is being divided, when some of the whole is nobody's
   */
  void shares(Collection<SimRegion> alive, boolean exactly, long nowMs) {
    long ppm = 0;
    long milli = 0;
    for (SimRegion region : alive) {
      ppm += region.bucket.enforcedPpm();
      milli += region.balanceMilli(nowMs);
      for (SimRegion to : alive) {
        if (to != region) {
          TransferRow gave = region.ledger.dealings().gave(to.name);
          TransferRow got = to.ledger.dealings().got(region.name);
          if (!gave.covers(got)) {
            throw new AssertionError(
                "%s credited %s of %s, which gave %s".formatted(to.name, got, region.name, gave));
          }
          ppm += gave.ppm() - got.ppm();
          milli += gave.milli() - got.milli();
        }
      }
    }
    if (ppm > Ppm.WHOLE || (exactly && ppm != Ppm.WHOLE)) {
      throw new AssertionError("enforced and on its way are " + ppm + " ppm");
    }
    if (milli > limit.burstMilli()) {
      throw new AssertionError(
          "balances and tokens on their way are " + milli + " of " + limit.burstMilli());
    }
  }
}
